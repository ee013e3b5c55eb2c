/** A parsed request target: one variant for each part of the server. */
export type Target =
  | { kind: "api"; host: string | undefined; url: string }
  | { kind: "pages"; host: string | undefined; url: string }
  /** Another spelling of a path below `/api`, such as `/x/../api/cards`. */
  | { kind: "disguised" }
  /** An action of next-auth that nothing here uses. */
  | { kind: "unused" }
  /** Neither a path nor an absolute URL on this server. */
  | { kind: "malformed" };

/** An absolute-form target (RFC 9112, 3.2.2): its authority and the rest. */
const ABSOLUTE = /^https?:\/\/(?<host>[^/?#]*)(?<rest>[^#]*)$/iu;

/** Segments with only one possible reading: no escapes, and no leading dot. */
const PLAIN = /^(?:\/[\w~-][\w.~-]*)*\/?$/u;

const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/iu;

/** Levels of nested escapes; no server decodes more. */
const DECODINGS_MAX = 3;

/** The actions of next-auth that signing in and out needs. Some others would write a client's text into the log. */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set(
  [
    "csrf",
    "providers",
    "session",
    "signin",
    "signin/openid",
    "callback/credentials",
    "callback/openid",
    "signout",
    "error",
  ].map((action) => `/api/auth/${action}`),
);

/**
 * Decides which part of the server answers. A path counts as below `/api` only in its exact spelling. Any
 * path that merely normalizes to one is refused, so that no other reader of the same path can take it for an
 * operation.
 */
export function readTarget(given: string): Target {
  const origin = toOriginForm(given);
  if (!origin) {
    return { kind: "malformed" };
  }
  const { host, url } = origin;
  const [path = "/"] = url.split("?", 1);
  const canonical = PLAIN.test(path) ? path : toCanonical(path);
  if (isApi(path)) {
    return DOT_SEGMENT.test(path) || path.includes("\\")
      ? { kind: "disguised" }
      : { kind: "api", host, url };
  }
  if (isWithin(canonical, "/api") && canonical !== path) {
    return { kind: "disguised" };
  }
  if (isUnused(path)) {
    return { kind: "unused" };
  }
  return { kind: "pages", host, url: `${toResolved(path)}${url.slice(path.length)}` };
}

/** Whether the API answers this path: everything below `/api` except sign-in, which belongs to the pages. */
export function isApi(path: string): boolean {
  return isWithin(path, "/api") && !isWithin(path, "/api/auth");
}

function isUnused(path: string): boolean {
  return isWithin(path, "/api/auth") && !SIGN_IN_PATHS.has(path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function toOriginForm(given: string): { host: string | undefined; url: string } | undefined {
  if (given.startsWith("/")) {
    return given.includes("#") ? undefined : { host: undefined, url: given };
  }
  const { host, rest = "" } = ABSOLUTE.exec(given)?.groups ?? {};
  return host ? { host, url: rest.startsWith("/") ? rest : `/${rest}` } : undefined;
}

/** The path without dot segments, backslashes, and empty segments; escapes stay. */
function toResolved(path: string): string {
  if (PLAIN.test(path)) {
    return path;
  }
  const resolved = URL.parse(`http://own.invalid${path}`)?.pathname ?? "/";
  return resolved.replaceAll(/\/{2,}/gu, "/");
}

/** The path as the most lenient parser could interpret it. */
function toCanonical(path: string): string {
  let canonical = path;
  for (let decodings = 0; decodings < DECODINGS_MAX; decodings += 1) {
    canonical = toResolved(
      decode(canonical)
        .replaceAll("\\", "/")
        .replaceAll(/\/{2,}/gu, "/"),
    );
  }
  return decode(canonical);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
