/** The API versions, oldest first. */
export const API_VERSIONS = ["0.2.0", "0.5.0"] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
export const API_VERSION_NEWEST: ApiVersion = "0.5.0";
