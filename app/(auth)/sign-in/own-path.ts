const HOME = "/overview";

/** Where to go after signing in: a path of ours, never another site. */
export function toOwnPath(callbackUrl: string | undefined): string {
  const url = URL.parse(callbackUrl ?? "", "http://own.invalid");
  const isOwn = url !== null && callbackUrl?.startsWith("/") && url.host === "own.invalid";
  return isOwn && url.pathname !== "/" ? `${url.pathname}${url.search}` : HOME;
}
