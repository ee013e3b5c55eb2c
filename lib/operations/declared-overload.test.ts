import { beforeAll, expect, test } from "vitest";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { newScene, send } from "#test/scene/scene.ts";
import type { Scene, Wanted } from "#test/scene/scene.ts";
import { newPerson } from "#test/scene/staff.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";
import { hashPassword } from "#lib/staff/passwords.ts";

let scene: Scene;
/** What each operation was answered while too many passwords were being hashed. */
const replies = new Map<string, ApiReply>();

beforeAll(async () => {
  scene = await newScene(await newProcessorKey());
  const requests: [id: string, request: Wanted][] = [];
  for (const [id, prepare] of Object.entries(HASHING)) {
    requests.push([id, await prepare()]);
  }
  await whileHashing(async () => {
    for (const [id, request] of requests) {
      replies.set(id, await send(scene, id, request));
    }
  });
});

/** How many password hashes may run and wait at once. */
const HASHES_MAX = 22;

/** Works while the queue of password hashing is kept full. */
async function whileHashing(work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const keepHashing = async (asker: string) => {
    while (!over.signal.aborted) {
      await hashPassword("a password", asker);
    }
  };
  const hashing = Promise.all(Array.from({ length: HASHES_MAX }, (_, at) => keepHashing(`${at}`)));
  await work().finally(() => over.abort());
  await hashing;
}

/** A link's token: the last part of its URL. */
async function tokenOf(operation: "inviteStaff" | "makePasswordReset"): Promise<string> {
  const { json } = await send(scene, operation, { at: scene.ids.staff });
  return (json as { link: string }).link.split("#")[1] ?? "";
}

async function asPersonWithPassword(): Promise<Wanted> {
  const { headers } = await newPerson(scene.id, "viewer");
  return { headers };
}

const HASHING: Record<string, () => Promise<Wanted>> = {
  registerIntegrator: () => Promise.resolve({}),
  confirmSelf: asPersonWithPassword,
  changePassword: asPersonWithPassword,
  acceptInvitation: async () => ({ body: { token: await tokenOf("inviteStaff") } }),
  resetPassword: async () => ({ body: { token: await tokenOf("makePasswordReset") } }),
};

test.each(Object.keys(HASHING))(
  "%s is refused as overloaded while too many passwords are being hashed",
  (id) => {
    const reply = replies.get(id);
    expect(reply).toMatchObject({ status: 503, json: { code: "overloaded" } });
    expect(reply?.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/u);
  },
);

/** The test of long polls fills its seats. */
const WAITING = ["listEvents"];

test("no other operation without a body declares it", () => {
  const declared = OPERATIONS.filter(
    (operation) => operation.body === null && declaredErrors(operation).has("overloaded"),
  );
  expect(declared.map(({ id }) => id)).toEqual(WAITING);
});
