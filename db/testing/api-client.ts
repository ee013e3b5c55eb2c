import { OPERATIONS } from "#lib/api/contract/operations.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import { declaredErrors } from "#lib/api/contract/refusals.ts";
import { createApi } from "#lib/api/router.ts";

/** An answer of the API, read to its end. */
export interface ApiReply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body where it is JSON. */
  json: unknown;
}

/** What a test sends. `body` that is a string goes as it is; anything else as JSON. */
export interface ApiCall {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** The network address it seems to come from. */
  address?: string;
}

let api: ReturnType<typeof createApi> | undefined;

/**
 * Sends a real Request through the API in this process: `call("GET /cards", {key})`.
 * @throws Error when the operation answers what it does not declare.
 */
export async function call(line: string, wanted: ApiCall = {}): Promise<ApiReply> {
  api ??= createApi();
  const response = await (
    await api
  )(toRequest(line, wanted), {
    address: wanted.address ?? "127.0.0.1",
  });
  const text = await response.text();
  const isJson = /json/u.test(response.headers.get("content-type") ?? "");
  const reply: ApiReply = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
  requireDeclared(line, reply);
  return reply;
}

/** What a path that nobody serves, or not with this method, may answer. */
const NOT_SERVED: ReadonlySet<unknown> = new Set(["path_unknown", "method_not_allowed"]);

function requireDeclared(line: string, { status, json }: ApiReply): void {
  const operation = findOperation(line);
  const code = json && typeof json === "object" && "code" in json ? json.code : null;
  const declared: ReadonlySet<unknown> = operation ? declaredErrors(operation) : NOT_SERVED;
  const isDeclared = status < 400 ? status === operation?.status : declared.has(code);
  if (!isDeclared) {
    throw new Error(`${line} answered ${status} ${String(code)}, which it does not declare.`);
  }
}

/** The operation behind a request; a named path wins over one with an id, as in the router. */
function findOperation(line: string): Operation | undefined {
  const [method = "", target = ""] = line.split(" ");
  const { pathname } = new URL(`/api${target}`, "http://127.0.0.1");
  const served = method === "HEAD" ? "GET" : method;
  const matching = OPERATIONS.filter((operation) => matches(operation, pathname));
  const [first] = matching.toSorted((a, b) => Number(hasId(a)) - Number(hasId(b)));
  return matching.find(({ method: its, path }) => its === served && path === first?.path);
}

function matches({ path }: Operation, pathname: string): boolean {
  const wanted = `/api${path}`.split("/");
  const given = pathname.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part === "{id}" ? given[at] !== "" : part === given[at]))
  );
}

function hasId({ path }: Operation): boolean {
  return path.includes("{id}");
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
