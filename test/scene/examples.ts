import { takesIdempotencyKey } from "#lib/operations/refusals.ts";
import { newId } from "#lib/base/ids.ts";
import type { Example, Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { ExampleScene, meetNeed } from "./example-scene.ts";
import type { ExampleAccount } from "./example-scene.ts";
import { newProcessorKey } from "./fixtures.ts";
import { credentialOf } from "./tenant.ts";

/** Makes what an example needs in this account. @returns a function that sends the example, once. */
export async function prepareExample(
  account: ExampleAccount,
  operation: Operation,
  { needs, ...example }: Example,
): Promise<() => Promise<ApiReply>> {
  const scene = new ExampleScene(account, operation);
  const real: Example = JSON.parse(await scene.makeReal(JSON.stringify(example)));
  const met = needs ? await meetNeed(needs, scene) : {};
  const path = operation.path.replace(/\{(?:id|key)\}/u, real.id ?? "");
  const query = new URLSearchParams(real.query).toString();
  const processorKey = operation.scope === "processor" ? await newProcessorKey() : "";
  const { headers, ...credential } = credentialOf(operation, { ...account, processorKey });
  const key = takesIdempotencyKey(operation) ? { "idempotency-key": newId() } : {};
  return () =>
    call(`${operation.method} ${path}${query && `?${query}`}`, {
      ...credential,
      headers: { ...(met.headers ?? headers), ...key },
      ...(real.body ? { body: { ...real.body, ...met.body } } : {}),
      // Attempts from one address are limited.
      address: newId(),
    });
}

const WRITES = OPERATIONS.filter(({ kind, method }) => kind !== "read" && method !== "GET");

/**
 * Sends every example of every operation that changes something.
 * @param act sends it by calling the function that it is given.
 */
export async function sendEveryWrite(
  account: ExampleAccount,
  act: (operationId: string, send: () => Promise<ApiReply>) => Promise<ApiReply>,
): Promise<void> {
  for (const operation of WRITES) {
    for (const example of operation.examples) {
      const send = await prepareExample(account, operation, example);
      const reply = await act(operation.id, send);
      if (reply.status !== operation.status) {
        throw new Error(`${operation.id} was answered ${reply.status}: ${reply.text}`);
      }
    }
  }
}
