/** The digest of a temporary page failure: the database did not answer in time. Browsers try again. */
export const BUSY_DIGEST = "busy";
