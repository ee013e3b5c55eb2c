/**
 * How a request with a session cookie names the person its page was rendered for: in a header, or in a query parameter
 * if it comes from a link.
 */
export const STAFF_ID_HEADER = "Staff-Id";
export const STAFF_ID_PARAMETER = "staff_id";
