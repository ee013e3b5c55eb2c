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

/** Sends a real Request through the API in this process: `call("GET /cards", {key})`. */
export async function call(line: string, wanted: ApiCall = {}): Promise<ApiReply> {
  api ??= createApi();
  const response = await (
    await api
  )(toRequest(line, wanted), {
    address: wanted.address ?? "127.0.0.1",
  });
  const text = await response.text();
  const isJson = /json/u.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
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
