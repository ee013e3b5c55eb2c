import { z } from "zod";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { makeStale, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";
import { toLayers } from "#lib/base/log-safe.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/** Members of answers that are secrets, by name. The address of an inbox is none: with it one can send, but not read. */
const SECRETS: ReadonlySet<string> = new Set([
  "api_key",
  "link",
  "recovery_codes",
  "secret",
  "uri",
]);

let mine: TestIntegrator;
let owner: TestStaff;
let admin: TestStaff;
let adminsKey: { id: string; api_key: string };

beforeEach(async () => {
  mine = await newIntegrator();
  owner = await newStaff(mine.id, "owner");
  admin = await newStaff(mine.id, "admin");
  adminsKey = await makeKey(admin);
});

async function makeKey({ headers }: TestStaff): Promise<{ id: string; api_key: string }> {
  const body = { name: "Hooks", scopes: ["webhooks:write"] };
  const { json } = await call("POST /api-keys", { headers, body });
  return { id: Object(json).data.id, api_key: Object(json).api_key };
}

const REFUSED = { status: 403, json: { code: "role_insufficient" } };
const ROTATE = "POST /webhooks/rotate-secret";
const CREATE = "POST /webhook-endpoints";
const ENDPOINT = { webhook_url: "https://1.1.1.1/", events: ["card.frozen"] };

type Who = { key: string } | TestStaff;

/** @param sent the idempotency key, and the body if there is one. */
function ask(who: Who, line: string, sent: { key: string; body?: object }): Promise<ApiReply> {
  const credential = "key" in who ? { Authorization: `Bearer ${who.key}` } : who.headers;
  return call(line, { headers: { ...credential, "Idempotency-Key": sent.key }, body: sent.body });
}

/** Whether an answer's schema has a member that is a secret. An object is none, nor is a word such as `current`. */
function hasSecret(schema: z.core.$ZodType): boolean {
  return toLayers(schema).some(
    (layer) =>
      (layer instanceof z.ZodArray && hasSecret(layer.element)) ||
      (layer instanceof z.ZodObject &&
        Object.entries(layer.shape).some(
          ([name, member]) => (SECRETS.has(name) && isText(member)) || hasSecret(member),
        )),
  );
}

function isText(schema: z.core.$ZodType): boolean {
  return toLayers(schema).some(
    (layer) =>
      layer instanceof z.ZodString || (layer instanceof z.ZodArray && isText(layer.element)),
  );
}

test("every operation whose answer has a secret says so", () => {
  const having = OPERATIONS.filter(({ answer }) => hasSecret(answer));
  expect(having.map(({ id }) => id).toSorted()).toEqual([
    "beginSecondFactor",
    "createApiKey",
    "createWebhookEndpoint",
    "enableSecondFactor",
    "inviteStaff",
    "listMessages",
    "makePasswordReset",
    "registerIntegrator",
    "revealWebhookSecret",
    "rotateApiKey",
    "rotateWebhookSecret",
  ]);
  const silent = having.filter(
    ({ kind, secret, sealed }) => kind !== "public" && !secret && !sealed,
  );
  expect(silent).toEqual([]);
});

describe("the signing secret is rotated by a key", () => {
  test("that an owner made, and not by an admin's", async () => {
    const { api_key: ownersKey } = await makeKey(owner);
    expect(await ask({ key: ownersKey }, ROTATE, { key: newId() })).toMatchObject({ status: 200 });
    expect(await ask({ key: mine.apiKey }, ROTATE, { key: newId() })).toMatchObject({
      status: 200,
    });
    expect(await ask({ key: adminsKey.api_key }, ROTATE, { key: newId() })).toMatchObject(REFUSED);
  });

  test("only while whoever made it is an owner", async () => {
    const former = await newStaff(mine.id, "owner");
    const { api_key: key } = await makeKey(former);
    const rotate = async () => (await ask({ key }, ROTATE, { key: newId() })).status;
    expect(await rotate()).toBe(200);
    const { headers } = owner;
    await call(`PATCH /staff/${former.id}`, { headers, body: { role: "admin" } });
    expect(await rotate()).toBe(403);
    await call(`PATCH /staff/${former.id}`, { headers, body: { role: "owner" } });
    expect(await rotate()).toBe(200);
    await call(`DELETE /staff/${former.id}`, { headers });
    expect(await rotate()).toBe(403);
  });
});

describe("a repeat with the key of another's request is refused before the stored answer is given", () => {
  test("of a rotation: to an admin, to their key, and to an owner without a recent sign-in", async () => {
    const key = newId();
    const first = await ask({ key: mine.apiKey }, ROTATE, { key });
    expect(first.status).toBe(200);
    const stale = await newStaff(mine.id, "owner");
    await makeStale(stale);
    for (const [who, refusal] of [
      [admin, REFUSED],
      [{ key: adminsKey.api_key }, REFUSED],
      [stale, { status: 403, json: { code: "fresh_sign_in_required" } }],
    ] as const) {
      const repeated = await ask(who, ROTATE, { key });
      expect(repeated).toMatchObject(refusal);
      expect(repeated.text).not.toContain("whsec_");
    }
    expect((await ask(owner, ROTATE, { key })).text).toBe(first.text);
    expect((await ask({ key: mine.apiKey }, ROTATE, { key })).text).toBe(first.text);
  });

  test("of a new endpoint: its maker and owners get it again, and nobody else", async () => {
    const key = newId();
    const first = await ask(admin, CREATE, { key, body: ENDPOINT });
    const other = await newStaff(mine.id, "admin");
    const stale = await newStaff(mine.id, "owner");
    await makeStale(stale);
    for (const who of [other, stale, { key: adminsKey.api_key }]) {
      const repeated = await ask(who, CREATE, { key, body: ENDPOINT });
      expect(repeated).toMatchObject(REFUSED);
      expect(repeated.text).not.toContain("whsec_");
    }
    for (const who of [admin, owner, { key: mine.apiKey }]) {
      expect((await ask(who, CREATE, { key, body: ENDPOINT })).text).toBe(first.text);
    }
  });

  test("also at the same time as the first", async () => {
    const key = newId();
    const other = await newStaff(mine.id, "admin");
    const replies = await Promise.all(
      [admin, other, admin, other].map((who) => ask(who, CREATE, { key, body: ENDPOINT })),
    );
    const shown = replies.filter(({ status }) => status === 201);
    expect(replies.map(({ status }) => status)).toEqual(
      expect.arrayContaining([201, 201, 403, 403]),
    );
    expect(shown).toHaveLength(2);
    expect(new Set(shown.map(({ text }) => text)).size).toBe(1);
  });

  test("of everything else there is no stored answer, and who may not ask is refused", async () => {
    const viewer = await newStaff(mine.id, "viewer");
    const invitation = { email: `${newId()}@example.com`, role: "viewer" };
    for (const [line, body] of [
      ["POST /api-keys", { body: { name: "Another", scopes: ["cards:read"] } }],
      ["POST /staff/invitations", { body: invitation }],
      [`POST /staff/${viewer.id}/password-reset`, {}],
      ["POST /webhooks/reveal-secret", {}],
    ] as const) {
      const key = newId();
      const first = await ask(owner, line, { key, ...body });
      expect([line, first.status < 300]).toEqual([line, true]);
      expect([line, (await ask(viewer, line, { key, ...body })).status]).toEqual([line, 403]);
    }
  });
});

test("a lookup of the key shows nobody the secret", async () => {
  const key = newId();
  expect(await ask({ key: mine.apiKey }, ROTATE, { key })).toMatchObject({ status: 200 });
  for (const who of [owner, admin, { key: mine.apiKey }]) {
    const looked = await ask(who, `GET /idempotency-keys/${key}`, { key: newId() });
    expect(looked.json).toMatchObject({ data: { state: "completed", body: null } });
  }
});
