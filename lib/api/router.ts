import type { Handler } from "#lib/api/edge/respond.ts";
import type { WireAnswer } from "#lib/api/wire/answer.ts";
import { pathUnknown, refuseUnserved, withHint } from "#lib/api/edge/refuse-unserved.ts";
import { DomainError } from "#lib/base/errors.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** A route module: one handler per method. */
type RouteModule = Readonly<Partial<Record<Method, Handler>>>;

interface Entry {
  /** The folders below `app/api`; a bracketed folder stands for an id. */
  segments: readonly string[];
  handlers: ReadonlyMap<string, Handler>;
}

/** The entries, by the length and the first folder of their paths, so that a request is compared with few of them. */
type Table = ReadonlyMap<string, readonly Entry[]>;

/** The whole API as one function of a request and the address it came from. */
export type Api = (request: Request, peer: { address: string }) => Promise<WireAnswer>;

/**
 * @param routes the route modules by their folders below `app/api`. Next.js derives the same table from these
 * folders.
 */
export function createApi(routes: Readonly<Record<string, RouteModule>>): Api {
  const entries = Object.entries(routes).map(([folder, handlers]): Entry => ({
    segments: folder.split("/"),
    handlers: new Map(Object.entries(handlers)),
  }));
  const table = Map.groupBy(entries.toSorted(byPrecedence), ({ segments }) => toPlace(segments));
  return (request, { address }) => dispatch(table, request, address);
}

/** A named folder takes precedence over an id folder, as in Next.js. */
function byPrecedence(a: Entry, b: Entry): number {
  return a.segments.filter(isId).length - b.segments.filter(isId).length;
}

function toPlace(segments: readonly string[]): string {
  return `${segments.length} ${segments[0]}`;
}

function isId(segment: string): boolean {
  return segment.startsWith("[");
}

async function dispatch(table: Table, request: Request, address: string): Promise<WireAnswer> {
  const segments = toPath(request.url).split("/").slice(2);
  const entry = table.get(toPlace(segments))?.find((candidate) => matches(candidate, segments));
  if (!entry) {
    const refusal = pathUnknown(request.method, segments);
    return refuseUnserved(request, address, { refusal });
  }
  // HEAD answers like GET; the server omits the body.
  const handler = entry.handlers.get(request.method === "HEAD" ? "GET" : request.method);
  if (!handler) {
    const refusal = toMethodRefusal(request.method, segments, [...entry.handlers.keys()]);
    return refuseUnserved(request, address, refusal);
  }
  const params = entry.segments.flatMap((segment, index) =>
    isId(segment) ? [[segment.slice(1, -1), decode(segments[index] ?? "")]] : [],
  );
  return handler.answer(request, { params: Promise.resolve(Object.fromEntries(params)), address });
}

/** The path of a request's URL, which is in its normal form. */
function toPath(url: string): string {
  const [beforeQuery = ""] = url.split("?", 1);
  return beforeQuery.slice(beforeQuery.indexOf("/", beforeQuery.indexOf("://") + 3));
}

function matches(entry: Entry, segments: readonly string[]): boolean {
  return (
    entry.segments.length === segments.length &&
    entry.segments.every((segment, index) =>
      isId(segment) ? segments[index] !== "" : segment === segments[index],
    )
  );
}

/** An invalid escape is not an id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

function toMethodRefusal(method: string, segments: readonly string[], allowed: readonly string[]) {
  const names = allowed.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
  return {
    refusal: new DomainError(
      "method_not_allowed",
      withHint(`This path supports ${names}.`, method, segments),
    ),
    headers: { Allow: names },
  };
}
