import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { parseCsv } from "#test/scene/csv.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readPages, refusalOf } from "#test/scene/pages.ts";
import { makeStale, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";

interface Entry {
  id: string;
  actor: { type: string; id: string };
  action: string;
  target_type: string;
  target_id: string;
  after: { amount?: number } | null;
  request_id: string;
  created_at: string;
}

let mine: TestIntegrator;
let owner: TestStaff;
let viewer: TestStaff;
let cardId: string;

beforeAll(async () => {
  mine = await newIntegrator(10_000);
  owner = await newStaff(mine.id, "owner");
  viewer = await newStaff(mine.id, "viewer");
  cardId = (await newCard(mine)).id;
  for (const change of ["freeze", "unfreeze", "freeze"]) {
    await call(`PATCH /cards/${cardId}/${change}`, { headers: owner.headers });
  }
  await call(`PATCH /cards/${cardId}/unfreeze`, { headers: viewer.headers });
  await call(`PATCH /cards/${cardId}/unfreeze`, { key: mine.apiKey });
});

function fetchPage(query = "", by: TestStaff = viewer): Promise<ApiReply> {
  return call(`GET /audit-log?${query}`, { headers: by.headers });
}

async function list(query = "", by: TestStaff = viewer): Promise<Entry[]> {
  const reply = await fetchPage(query, by);
  expect(reply.status).toBe(200);
  return (reply.json as { data: Entry[] }).data;
}

function move(kind: "credit" | "debit", body: object, by: object): Promise<ApiReply> {
  return call(`PATCH /cards/${kind}/balance`, { ...by, body });
}

/** Performs an action as the owner, from their own browser. */
function act(line: string, body?: object): Promise<ApiReply> {
  return call(line, { headers: { ...owner.headers, "user-agent": "Firefox" }, body });
}

describe("the audit log", () => {
  test("lists who did what, newest first, including refused attempts of staff", async () => {
    const entries = await list(`target_id=${cardId}`);
    expect(entries.map(({ action, actor }) => [action, actor.type])).toEqual([
      ["card.unfrozen", "api_key"],
      ["unfreezeCard.refused", "staff"],
      ["card.frozen", "staff"],
      ["card.unfrozen", "staff"],
      ["card.frozen", "staff"],
      ["card.created", "api_key"],
    ]);
  });

  test("is filtered by action, by actor, and by both", async () => {
    const frozen = await list("action=card.frozen");
    expect(frozen.map(({ target_id: id }) => id)).toEqual([cardId, cardId]);
    const byOwner = await list(`actor_id=${owner.id}`);
    expect(new Set(byOwner.map(({ actor }) => actor.id))).toEqual(new Set([owner.id]));
    expect(byOwner).toHaveLength(3);
    expect(await list(`actor_id=${viewer.id}&action=card.frozen`)).toEqual([]);
    expect(await list(`target_id=${newId()}`)).toEqual([]);
  });

  test("every refused attempt is found at once, and those at one operation by its id", async () => {
    const refused = await list("action=refused");
    expect(refused.map(({ action }) => action)).toEqual(["unfreezeCard.refused"]);
    expect(await list("action=unfreezeCard.refused")).toEqual(refused);
    expect(await list("action=freezeCard.refused")).toEqual([]);
  });

  test("is filtered by time: from the first moment on, and before the last", async () => {
    const entries = await list(`target_id=${cardId}`);
    const third = entries[2] ?? entries[0];
    const at = Date.parse(third?.created_at ?? "");
    const from = new Date(at).toISOString();
    const to = new Date(at + 1).toISOString();
    const within = await list(`target_id=${cardId}&from=${from}&to=${to}`);
    expect(within.map(({ id }) => id)).toContain(third?.id);
    expect(within.every(({ created_at: created }) => Date.parse(created) === at)).toBe(true);
    expect(await list(`target_id=${cardId}&to=${from}`)).not.toContainEqual(third);
    expect(await list("from=2999-01-01T00:00:00Z")).toEqual([]);
  });

  test("a request to sign in again is not a refused attempt, a wrong password is", async () => {
    const tired = await newStaff(mine.id, "admin");
    await makeStale(tired);
    const asked = await call("POST /api-keys", {
      headers: tired.headers,
      body: { name: "Billing", scopes: ["cards:read"] },
    });
    expect(asked).toMatchObject({ status: 403, json: { code: "fresh_sign_in_required" } });
    const wrong = await call("POST /staff/me/confirm", {
      headers: tired.headers,
      body: { password: "not the password" },
    });
    expect(wrong.status).toBe(422);
    const refused = await list(`actor_id=${tired.id}`);
    expect(refused.map(({ action }) => action)).toEqual(["confirmSelf.refused"]);
  });

  test("pages through every entry once, even while entries are added", async () => {
    const whole = await list("limit=100");
    const paged = await readPages<Entry>(fetchPage, 2, () => newCard(mine));
    expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  test("shows only the caller's own account, whatever the filter", async () => {
    const theirs = await newIntegrator();
    const stranger = await newStaff(theirs.id, "owner");
    const own = await list("limit=100", stranger);
    expect(own.filter(({ target_id: id }) => id === cardId)).toEqual([]);
    expect(await list(`target_id=${cardId}`, stranger)).toEqual([]);
    expect(await list(`actor_id=${owner.id}`, stranger)).toEqual([]);
    const [last] = await list("limit=1");
    expect(await list(`cursor=${last?.id}&limit=100`, stranger)).toEqual([]);
  });

  test.each([
    "action=card.melted",
    "from=yesterday",
    "limit=0",
    "limit=101",
    "cursor=x",
    "actor_id=x",
    "surplus=1",
    "limit=1&limit=2",
  ])("names the parameter when it rejects ?%s", async (query) => {
    expect(await fetchPage(query)).toMatchObject(refusalOf(query));
  });

  test("is for signed-in staff only: an API key cannot read it", async () => {
    expect((await call("GET /audit-log", { key: mine.apiKey })).status).toBe(403);
    expect((await call("GET /exports/audit-log", { key: mine.apiKey })).status).toBe(403);
  });

  test.each(["", "action=refused", "from=2020-01-01&to=2020-01-31"])(
    "is exported with its filters: ?%s",
    async (filter) => {
      const query = `target_id=${cardId}&${filter}`;
      const { headers } = viewer;
      const { status, text } = await call(`GET /exports/audit-log?${query}`, { headers });
      const exported = parseCsv(text).map(({ id, action, after }) => `${id} ${action} ${after}`);
      const listed = (await list(query)).map(({ id, action, after }) =>
        [id, action, after ? JSON.stringify(after) : ""].join(" "),
      );
      expect([status, exported]).toEqual([200, listed]);
    },
  );
});

describe("each of these actions writes one row with its actor and its request:", () => {
  let other: TestStaff;
  let invitationId: string;
  let keyId: string;

  beforeAll(async () => {
    other = await newStaff(mine.id, "operator");
    const email = `${newId()}@new.example`;
    const invited = await act("POST /staff/invitations", { email, role: "viewer" });
    invitationId = (invited.json as { data: { id: string } }).data.id;
    const made = await act("POST /api-keys", { name: "Billing", scopes: ["cards:read"] });
    keyId = (made.json as { data: { id: string } }).data.id;
  });

  test.each<[string, () => Promise<ApiReply>]>([
    [
      "staff.invited",
      () => act("POST /staff/invitations", { email: `${newId()}@new.example`, role: "viewer" }),
    ],
    ["staff.invitation_revoked", () => act(`DELETE /staff/invitations/${invitationId}`)],
    ["staff.password_reset_made", () => act(`POST /staff/${other.id}/password-reset`)],
    ["staff.sessions_revoked", () => act(`POST /staff/${other.id}/revoke-sessions`)],
    ["staff.role_changed", () => act(`PATCH /staff/${other.id}`, { role: "viewer" })],
    ["staff.removed", () => act(`DELETE /staff/${other.id}`)],
    [
      "account.second_factor_required",
      () => act("PATCH /staff/second-factor-policy", { required: false }),
    ],
    ["api_key.created", () => act("POST /api-keys", { name: "Billing", scopes: ["cards:read"] })],
    ["api_key.revoked", () => act(`DELETE /api-keys/${keyId}`)],
  ])("%s", async (action, work) => {
    const reply = await work();
    expect([200, 201]).toContain(reply.status);
    const listed = await list(`action=${action}&limit=100`);
    const ofThis = listed.filter(({ request_id: id }) => id === reply.headers.get("x-request-id"));
    expect(ofThis).toMatchObject([
      { actor: { type: "staff", id: owner.id }, address: "127.0.0.1", agent: "Firefox" },
    ]);
  });
});

describe("credits and debits by an API key, which have no row of their own", () => {
  let integrator: TestIntegrator;
  let staff: TestStaff;
  let card: string;
  let keyId: string;

  beforeAll(async () => {
    integrator = await newIntegrator(10_000);
    staff = await newStaff(integrator.id, "owner");
    card = (await newCard(integrator)).id;
    const other = (await newCard(integrator)).id;
    const key = { key: integrator.apiKey, address: "203.0.113.7" };
    await move("credit", { card_id: card, amount: 10 }, key);
    await move("credit", { card_id: card, amount: 20 }, { headers: staff.headers });
    await move("credit", { card_id: other, amount: 30 }, key);
    await call(`PATCH /cards/${card}/freeze`, { key: integrator.apiKey });
    await move("debit", { card_id: card, amount: 5 }, key);
    await move("debit", { card_id: card, amount: 6 }, { headers: staff.headers });
    const [first] = await list("action=card.frozen", staff);
    keyId = first?.actor.id ?? "";
  });

  const amountsOf = async (query: string) =>
    (await list(query, staff)).map(({ action, after }) => [action, after?.amount]);

  const OF_CARD = [
    ["card.debited", 6],
    ["card.debited", 5],
    ["card.frozen", undefined],
    ["card.credited", 20],
    ["card.credited", 10],
  ];

  test("are listed among the others in their order, with the address and the transaction", async () => {
    expect((await amountsOf(`target_id=${card}`)).slice(0, 5)).toEqual(OF_CARD);
    const [credited] = (await list(`target_id=${card}&action=card.credited`, staff)).slice(-1);
    const listed = await call(`GET /cards/${card}/transactions?type=credit`, {
      key: integrator.apiKey,
    });
    const last = (listed.json as { data: { id: string }[] }).data.at(-1);
    expect(credited).toMatchObject({
      id: last?.id,
      actor: { type: "api_key", id: keyId },
      target_type: "card",
      target_id: card,
      before: null,
      after: { amount: 10, reference: last?.id },
      address: "203.0.113.7",
      agent: null,
    });
  });

  test("are found by each filter", async () => {
    expect(await amountsOf("action=card.credited")).toEqual([
      ["card.credited", 30],
      ["card.credited", 20],
      ["card.credited", 10],
    ]);
    const ofKey = (await amountsOf(`actor_id=${keyId}`)).slice(0, 4);
    expect(ofKey).toEqual([
      ["card.debited", 5],
      ["card.frozen", undefined],
      ["card.credited", 30],
      ["card.credited", 10],
    ]);
    const ofPerson = (await list(`actor_id=${staff.id}`, staff)).map(({ action }) => action);
    expect(ofPerson).toEqual(["card.debited", "card.credited"]);
  });

  test("page by page, each entry comes once", async () => {
    const all = (await list(`target_id=${card}&limit=100`, staff)).map(({ id }) => id);
    const paged: string[] = [];
    let cursor = "";
    do {
      const reply = await fetchPage(`target_id=${card}&limit=1${cursor}`, staff);
      const { data, next_cursor } = reply.json as { data: Entry[]; next_cursor: string | null };
      paged.push(...data.map(({ id }) => id));
      cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
    } while (cursor);
    expect(paged).toEqual(all);
  });
});
