/** The member of a list's address that names the record open beside it. */
export const OPEN = "open";
