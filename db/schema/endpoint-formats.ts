/** What a webhook endpoint gets: events, or a sentence about each, as chat services take it. */
export const ENDPOINT_FORMATS = ["event", "chat"] as const;

export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];
