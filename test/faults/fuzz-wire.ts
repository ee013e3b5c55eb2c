import { request as send } from "node:http";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import type { Rig } from "./rig.ts";

/** After this time, a request counts as unanswered. */
const SILENCE_MS = 120_000;

/** A raw request. */
export interface Sent {
  method: string;
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | Buffer | null;
}

/** The response. Status 0 means that there was none, for the reason in the text. */
export interface Answered {
  status: number;
  mediaType: string;
  text: string;
}

/** Sends a request as it is: `fetch` would correct or refuse a malformed one. */
export function deliver({ baseUrl }: Pick<Rig, "baseUrl">, sent: Sent): Promise<Answered> {
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const { hostname, port } = new URL(baseUrl);
  const { method, target: path, headers, body } = sent;
  const fail = (error: Error) => resolve({ status: 0, mediaType: "", text: error.message });
  const length = body === null ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  // One connection per request, so that a late close is not taken for the response to the next request.
  const request = send(
    {
      agent: false,
      hostname,
      port,
      method,
      path,
      headers: { ...length, ...toWireHeaders(headers) },
      timeout: SILENCE_MS,
    },
    (answer) => void read(answer).then(resolve, fail),
  );
  request.once("timeout", () => request.destroy(new Error("No answer came.")));
  request.once("error", fail);
  request.end(body ?? undefined);
  return promise;
}

function toWireHeaders(headers: Sent["headers"]): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? toLatin1(value) : value.map(toLatin1),
    ]),
  );
}

/** Node writes headers in Latin-1. */
function toLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

async function read(answer: IncomingMessage): Promise<Answered> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk);
  }
  return {
    status: answer.statusCode ?? 0,
    mediaType: (answer.headers["content-type"] ?? "").split(";", 1)[0] ?? "",
    text: decode(Buffer.concat(chunks), answer.headers["content-encoding"]),
  };
}

/** A response to HEAD names its encoding and has no body. */
function decode(body: Buffer, encoding: string | undefined): string {
  const isPacked = encoding === "gzip" && body.byteLength > 0;
  return (isPacked ? gunzipSync(body) : body).toString("utf8");
}
