import { request as send } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Rig } from "./rig.ts";

/** After this a request counts as never answered. */
const SILENCE_MS = 120_000;

/** What goes on the wire. */
export interface Sent {
  method: string;
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | Buffer | null;
}

/** What came back; status 0 is no answer at all, for the reason in the text. */
export interface Answered {
  status: number;
  mediaType: string;
  text: string;
}

/** Sends a request as it is: `fetch` would mend or refuse what is odd about it. */
export function deliver({ baseUrl }: Pick<Rig, "baseUrl">, sent: Sent): Promise<Answered> {
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const { hostname, port } = new URL(baseUrl);
  const { method, target: path, headers, body } = sent;
  const fail = (error: Error) => resolve({ status: 0, mediaType: "", text: error.message });
  const length = body === null ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  // A connection each: what closes one must not be taken for the answer to the next request.
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
    text: Buffer.concat(chunks).toString("utf8"),
  };
}
