/** The digest of a page's failure that passes by itself: the database did not answer in time. Browsers try again. */
export const BUSY_DIGEST = "busy";
