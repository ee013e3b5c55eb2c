import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openRequestContext, setPeer } from "#lib/api/edge/request-context.ts";
import { respond } from "#lib/api/edge/bind.ts";
import type { Handler } from "#lib/api/edge/bind.ts";
import { refuseUnknownPath } from "#lib/api/edge/unknown-path.ts";
import { DomainError } from "#lib/base/errors.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** A route module: one handler per method. */
type RouteModule = Readonly<Partial<Record<Method, Handler>>>;

interface Entry {
  /** The folders below `app/api`; a bracketed folder stands for an id. */
  segments: readonly string[];
  handlers: RouteModule;
}

const FOLDER = path.join(import.meta.dirname, "../../app/api");

/** We skip folders that match every path below them: an unmatched path is unknown. */
const CATCH_ALL = "[...";

/** The whole API as one function of a request and the address it came from. */
export type Api = (request: Request, peer: { address: string }) => Promise<Response>;

/** Derives the route table from the folders under `app/api`, as Next.js does. */
export async function createApi(): Promise<Api> {
  const entries = await readEntries();
  return async (request, peer) => {
    setPeer(request, peer.address);
    return dispatch(entries, request);
  };
}

async function readEntries(): Promise<Entry[]> {
  const files = globSync("**/route.ts", { cwd: FOLDER }).filter(
    (file) => !file.includes(CATCH_ALL),
  );
  const entries = await Promise.all(
    files.map(async (file): Promise<Entry> => {
      const handlers: RouteModule = await import(pathToFileURL(path.join(FOLDER, file)).href);
      return { segments: path.dirname(file).split(path.sep), handlers };
    }),
  );
  // A named folder takes precedence over an id folder, as in Next.js.
  return entries.toSorted(
    (a, b) => a.segments.filter(isId).length - b.segments.filter(isId).length,
  );
}

function isId(segment: string): boolean {
  return segment.startsWith("[");
}

async function dispatch(entries: readonly Entry[], request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const segments = pathname.split("/").slice(2);
  const entry = entries.find((candidate) => matches(candidate, segments));
  if (!entry) {
    return refuseUnknownPath(request);
  }
  // HEAD answers like GET; the server omits the body.
  const handler = toMethod(request.method === "HEAD" ? "GET" : request.method, entry.handlers);
  if (!handler) {
    return refuseMethod(request, Object.keys(entry.handlers));
  }
  const params = entry.segments.flatMap((segment, index) =>
    isId(segment) ? [[segment.slice(1, -1), decode(segments[index] ?? "")]] : [],
  );
  return handler(request, { params: Promise.resolve(Object.fromEntries(params)) });
}

function matches(entry: Entry, segments: readonly string[]): boolean {
  return (
    entry.segments.length === segments.length &&
    entry.segments.every((segment, index) =>
      isId(segment) ? segments[index] !== "" : segment === segments[index],
    )
  );
}

function toMethod(method: string, handlers: RouteModule): Handler | undefined {
  return Object.entries(handlers).find(([name]) => name === method)?.[1];
}

/** An invalid escape is not an id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

function refuseMethod(request: Request, allowed: readonly string[]): Promise<Response> {
  const context = openRequestContext(request, null);
  const names = allowed.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
  context.headers = { Allow: names };
  return respond(context, () =>
    Promise.reject(new DomainError("method_not_allowed", `This path supports ${names}.`)),
  );
}
