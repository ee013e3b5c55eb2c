/**
 * How a request with a session cookie names the person its page was made for: in a header, or, from a link, in a query
 * parameter.
 */
export const STAFF_ID_HEADER = "Staff-Id";
export const STAFF_ID_PARAMETER = "staff_id";
