import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";
import { toResponse } from "#lib/api/edge/respond.ts";
import { ROUTES } from "#app/api/routes.ts";
import { createApi } from "#lib/api/router.ts";

/** A response of the API with its whole body. */
export interface ApiReply {
  status: number;
  headers: Headers;
  text: string;
  /** As it was sent: text lacks a mark of its encoding. */
  bytes: Buffer;
  /** The parsed body, if it is JSON. */
  json: unknown;
}

/** A request to send. A string `body` is sent unchanged, anything else as JSON. */
export interface ApiCall {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** The client's network address. */
  address?: string;
}

let api: ReturnType<typeof createFetchApi> | undefined;

/** The API as `fetch` sees it. */
export function createFetchApi(): (request: Request, address?: string) => Promise<Response> {
  const answer = createApi(ROUTES);
  return async (request, address = "127.0.0.1") => toResponse(await answer(request, { address }));
}

/**
 * Sends a real Request through the API in this process: `call("GET /cards", {key})`.
 * @throws Error when the response is not one that the operation declares.
 */
export async function call(line: string, wanted: ApiCall = {}): Promise<ApiReply> {
  api ??= createFetchApi();
  const response = await api(toRequest(line, wanted), wanted.address);
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = /json/u.test(response.headers.get("content-type") ?? "");
  const reply: ApiReply = {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    json: isJson ? JSON.parse(text) : undefined,
  };
  requireDeclared(line, reply);
  return reply;
}

const isParameter = (segment: string) => segment.startsWith("{");

/** The codes that an unknown path, or a known path with another method, may return. */
const NOT_SERVED: ReadonlySet<unknown> = new Set(["path_unknown", "method_not_allowed"]);

function requireDeclared(line: string, { status, json }: ApiReply): void {
  const served = findServed(line);
  const code = json && typeof json === "object" && "code" in json ? json.code : null;
  const isDeclared =
    status < 400
      ? isDeclaredSuccess(status, served?.operation)
      : (served ? served.codes : NOT_SERVED).has(code);
  if (!isDeclared) {
    throw new Error(`${line} answered ${status} ${String(code)}, which it does not declare.`);
  }
}

function isDeclaredSuccess(status: number, operation: Operation | undefined): boolean {
  return (
    status === operation?.status ||
    (status === 304 && operation?.tagged === true) ||
    (status === 202 && operation !== undefined && operation.approval !== null)
  );
}

interface Served {
  operation: Operation;
  segments: readonly string[];
  codes: ReadonlySet<unknown>;
}

/** Named paths come before those with an id, as in the router. */
const SERVED: readonly Served[] = OPERATIONS.map((operation) => ({
  operation,
  segments: `/api${operation.path}`.split("/"),
  codes: declaredErrors(operation),
})).toSorted((a, b) => Number(a.segments.some(isParameter)) - Number(b.segments.some(isParameter)));

/** The operation that serves a request. */
function findServed(line: string): Served | undefined {
  const [asked = "", target = ""] = line.split(" ");
  const method = asked === "HEAD" ? "GET" : asked;
  const given = new URL(`/api${target}`, "http://127.0.0.1").pathname.split("/");
  const first = SERVED.find(({ segments }) => matches(segments, given));
  return SERVED.find(
    ({ operation }) => operation.path === first?.operation.path && operation.method === method,
  );
}

function matches(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, at) =>
      isParameter(segment) ? given[at] !== "" : segment === given[at],
    )
  );
}

function toRequest(line: string, { key, body, headers }: ApiCall): Request {
  const [method = "GET", path = "/"] = line.split(" ");
  return new Request(`http://127.0.0.1:3000/api${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: toBody(body) }),
  });
}

function toBody(body: unknown): BodyInit {
  return typeof body === "string" || body instanceof Uint8Array
    ? Buffer.from(body)
    : JSON.stringify(body);
}
