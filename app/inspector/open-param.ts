/** The member of a list's URL that names the open record. */
export const OPEN = "open";
