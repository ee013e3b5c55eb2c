import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readPages, refusalOf } from "#test/scene/pages.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { listRequests } from "#lib/record/request-log.ts";

interface Logged {
  id: string;
  actor: { type: string; id: string } | null;
  operation: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  card_id: string | null;
  request_id: string;
}

let mine: TestIntegrator;
let viewer: TestStaff;
let cardId: string;
let refused: ApiReply;

beforeAll(async () => {
  mine = await newIntegrator();
  viewer = await newStaff(mine.id, "viewer");
  cardId = (await newCard(mine)).id;
  await call("GET /cards", { key: mine.apiKey });
  await call(`PATCH /cards/${cardId}/freeze`, { key: mine.apiKey });
  refused = await call(`PATCH /cards/${cardId}/unfreeze`, { headers: viewer.headers });
  await flushApiLog();
});

function fetchPage(query = "", by: TestStaff = viewer): Promise<ApiReply> {
  return call(`GET /api-log?${query}`, { headers: by.headers });
}

async function list(query = "", by: TestStaff = viewer): Promise<Logged[]> {
  const reply = await fetchPage(query, by);
  expect(reply.status).toBe(200);
  return (reply.json as { data: Logged[] }).data;
}

async function operationsOf(query: string): Promise<(string | null)[]> {
  return (await list(query)).map(({ operation }) => operation);
}

describe("the API log", () => {
  test("lists every request with its response and its caller, newest first", async () => {
    const logged = await list("limit=100");
    expect(logged.map(({ operation, status, actor }) => [operation, status, actor?.type])).toEqual([
      ["unfreezeCard", 403, "staff"],
      ["freezeCard", 200, "api_key"],
      ["listCards", 200, "api_key"],
    ]);
    expect(logged[0]).toMatchObject({
      method: "PATCH",
      path: `/api/cards/${cardId}/unfreeze`,
      code: "scope_missing",
      card_id: cardId,
      request_id: refused.headers.get("x-request-id"),
    });
  });

  test.each<[string, (string | null)[]]>([
    ["outcome=refused", ["unfreezeCard"]],
    ["outcome=succeeded", ["freezeCard", "listCards"]],
    ["method=GET", ["listCards"]],
    ["method=PATCH&outcome=succeeded", ["freezeCard"]],
    ["method=DELETE", []],
    ["operation=listCards", ["listCards"]],
    ["status=4xx", ["unfreezeCard"]],
    ["status=2xx&api_version=0.5.0", ["freezeCard", "listCards"]],
    ["status=4xx,5xx", ["unfreezeCard"]],
    ["status=2xx,4xx", ["unfreezeCard", "freezeCard", "listCards"]],
    ["status=5xx", []],
    ["code=scope_missing", ["unfreezeCard"]],
    ["code=card_closed", []],
    ["api_version=0.2.0", []],
    ["from=2020-01-01T00:00:00Z", ["unfreezeCard", "freezeCard", "listCards"]],
    ["to=2020-01-01T00:00:00Z", []],
  ])("is filtered by ?%s", async (query, operations) => {
    expect(await operationsOf(query)).toEqual(operations);
  });

  test("is filtered by card, by actor and by request", async () => {
    expect(await operationsOf(`card_id=${cardId}`)).toEqual(["unfreezeCard", "freezeCard"]);
    expect(await operationsOf(`actor_id=${viewer.id}`)).toEqual(["unfreezeCard"]);
    const id = refused.headers.get("x-request-id") ?? "";
    expect(await operationsOf(`request_id=${id}`)).toEqual(["unfreezeCard"]);
  });

  test("pages through every request once", async () => {
    const whole = await list("limit=100");
    const paged = await readPages<Logged>(fetchPage, 1);
    expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  test("goes on where a page has looked through as many requests as it may", async () => {
    const found: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const filter = { operation: "listCards", limit: 10, cursor };
      const page = await listRequests(reading(mine), filter, 1);
      found.push(...page.rows.map(({ operation }) => operation));
      cursor = page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined);
    expect(found).toEqual(["listCards"]);
    expect(pages).toBe(4);
  });

  test("shows one request with what was sent and answered", async () => {
    const [failed] = await list("outcome=refused");
    const reply = await call(`GET /api-log/${failed?.id}`, { headers: viewer.headers });
    expect(reply.json).toMatchObject({
      data: {
        id: failed?.id,
        api_version: "0.5.0",
        replayed: false,
        bodies: "kept",
        request: { form: "unread", body: null },
        response: { body: { code: "scope_missing" } },
      },
    });
  });

  test("shows only the caller's own account, whatever the filter", async () => {
    const stranger = await newStaff((await newIntegrator()).id, "owner");
    const [last] = await list("limit=1");
    const id = refused.headers.get("x-request-id") ?? "";
    for (const query of ["", `card_id=${cardId}`, `request_id=${id}`, `cursor=${last?.id}`]) {
      expect(await list(query, stranger)).toEqual([]);
    }
  });

  test.each([
    "limit=0",
    "cursor=x",
    "outcome=x",
    "method=PUT",
    "card_id=x",
    "status=6xx",
    "from=x",
    "surplus=1",
  ])("names the parameter when it rejects ?%s", async (query) => {
    expect(await fetchPage(query)).toMatchObject(refusalOf(query));
  });

  test("is for signed-in staff only: an API key cannot read it", async () => {
    expect((await call("GET /api-log", { key: mine.apiKey })).status).toBe(403);
  });
});

async function readOperations(withoutPages: boolean): Promise<string[]> {
  const { rows } = await listRequests(reading(mine), { limit: 100, withoutPages });
  return rows.map(({ operation, actor }) => `${actor?.type} ${operation}`);
}

test("without what pages read, all that programs request and that people change is left", async () => {
  await call("GET /cards", { headers: viewer.headers });
  await flushApiLog();
  expect(await readOperations(false)).toContain("staff listCards");
  expect(await readOperations(true)).not.toContain("staff listCards");
  expect(await readOperations(true)).toEqual(
    expect.arrayContaining(["staff unfreezeCard", "api_key listCards"]),
  );
});
