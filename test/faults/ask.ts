import type { Client } from "./load.ts";
import type { Rig } from "./rig.ts";

interface Ask {
  client: Pick<Client, "headers">;
  body?: unknown;
  key?: string;
}

/** Sends an integrator's request, which must succeed. @returns the answer's body. */
export async function ask(
  { baseUrl }: Pick<Rig, "baseUrl">,
  line: string,
  { client, body, key }: Ask,
) {
  const [method = "GET", target = ""] = line.split(" ");
  const reply = await fetch(`${baseUrl}${target}`, {
    method,
    headers: { ...client.headers, ...(key ? { "idempotency-key": key } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) {
    throw new Error(`${line}: ${await reply.text()}`);
  }
  return reply.json();
}
