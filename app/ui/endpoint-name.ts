/** The name of a webhook endpoint in lists: its host and its path. */
export function toEndpointName(webhookUrl: string | null): string {
  const url = URL.parse(webhookUrl ?? "");
  return url ? `${url.host}${url.pathname === "/" ? "" : url.pathname}` : "Endpoint";
}
