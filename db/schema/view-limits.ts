/** How many characters the name of a saved view has at most, and its query. */
export const VIEW_NAME_MAX = 60;
export const VIEW_QUERY_MAX = 2_000;
