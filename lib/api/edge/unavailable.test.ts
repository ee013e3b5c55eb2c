import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall, ApiReply } from "#test/scene/api-client.ts";
import { whileAway, whileFull } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { COMMITTING } from "#test/scene/declared-pairs.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import { newScene, send } from "#test/scene/scene.ts";
import { newStaff } from "#test/scene/staff.ts";
import { log } from "#lib/base/log.ts";

/** What a server says of its database's faults: to whoever asked, and in its log. */

const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);

let key: string;
let credit: ApiCall;
let integratorId: string;

beforeAll(async () => {
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  ({ apiKey: key, id: integratorId } = integrator);
  credit = { key, body: { card_id: card.id, amount: 1 } };
  await call("GET /cards", { key });
});

beforeEach(() => warned.mockClear());

/** What the log says of a request, line by line. */
function findLines({ headers }: ApiReply): unknown[] {
  const requestId = headers.get("x-request-id");
  return warned.mock.calls
    .map(([names]): unknown => names)
    .filter((names) => names instanceof Object && Reflect.get(names, "requestId") === requestId);
}

test("each answer of 503 has one line in the log, with its request id and the SQLSTATE that caused it", async () => {
  const requests = [
    () => call("GET /cards", { key }),
    () => call("PATCH /cards/credit/balance", credit),
    () => call("GET /health/ready"),
  ];
  await whileAway(async () => {
    for (const ask of requests) {
      // At first, connections turn out to have been closed, and nobody says why.
      await expect
        .poll(async () => {
          const reply = await ask();
          expect(reply).toMatchObject({ status: 503, json: { code: "database_unavailable" } });
          return findLines(reply);
        })
        .toMatchObject([{ code: "database_unavailable", sqlstate: "53300" }]);
    }
  });
  const served = await call("PATCH /cards/credit/balance", credit);
  expect(served.status).toBe(200);
  expect(findLines(served)).toEqual([]);
});

test("without room on the database's disk, every kind of change is refused as database_full", async () => {
  const scene = await newScene(await newProcessorKey());
  await whileFull(async () => {
    for (const id of COMMITTING) {
      const refused = await send(scene, id, id === "registerUser" ? { at: scene.id } : {});
      expect([id, refused.status, refused.json]).toMatchObject([
        id,
        503,
        { code: "database_full" },
      ]);
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/u);
      expect(findLines(refused)).toMatchObject([{ code: "database_full", sqlstate: "53100" }]);
    }
  });
});

test("without room on the database's disk, reads go on, and the server is ready", async () => {
  const owner = await newStaff(integratorId, "owner");
  // It is due to be written when the session was last used.
  await testDatabase().db.execute(
    sql`update staff_sessions set seen_at = seen_at - interval '2 minutes' where staff_id = ${owner.id}`,
  );
  await whileFull(async () => {
    expect((await call("GET /cards", { key })).status).toBe(200);
    expect((await call("GET /cards", { headers: owner.headers })).status).toBe(200);
    expect((await call("GET /health/ready")).status).toBe(200);
  });
  expect((await call("PATCH /cards/credit/balance", credit)).status).toBe(200);
});
