import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "#lib/access/key-text.ts";
import { installClient } from "./installed-client.ts";
import { credit, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { PROXIES } from "./proxies.ts";
import type { Proxy } from "./haproxy.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/** Two cells, each a server of the API with a database of its own, set up as docs/scaling.md says. */

/** HAProxy sends pages where they are served; here they are not. */
const WITHOUT_PAGES: Readonly<Record<string, Record<string, string>>> = {
  HAProxy: { "uri /sign-in": "uri /api/health/ready" },
};

interface Cell {
  rig: Rig;
  client: Client;
}

let first: Cell;
let second: Cell;

async function startCell(environment: Record<string, string>): Promise<Cell> {
  const rig = await startRig({ environment: { TRUSTED_PROXIES: "1", ...environment } });
  return { rig, client: await newClient(rig) };
}

const keyOf = ({ client }: Cell) => client.headers["Authorization"]?.slice("Bearer ".length) ?? "";
const placeOf = ({ rig }: Cell) => new URL(rig.baseUrl).host;

beforeAll(async () => {
  [first, second] = await Promise.all([startCell({}), startCell({ FLOATDECK_CELL: "2" })]);
});

afterAll(() => Promise.all([first, second].map(({ rig }) => rig.stop())));

test("the keys of the second cell name it", () => {
  expect(keyOf(first)).toMatch(/^fd_test_[0-9A-Za-z]{36}$/u);
  expect(keyOf(second)).toMatch(/^fd_test_c2_[0-9A-Za-z]{36}$/u);
});

test("a server that is asked directly refuses the other cell's keys, and serves its own", async () => {
  expect(await credit(first.rig, second.client, "a")).toMatchObject({ code: "cell_elsewhere" });
  expect(await credit(second.rig, first.client, "a")).toMatchObject({
    status: 421,
    code: "cell_elsewhere",
    retryAfter: null,
  });
  expect(await credit(first.rig, first.client, "direct")).toMatchObject({ status: 200 });
  expect(await credit(second.rig, second.client, "direct")).toMatchObject({ status: 200 });
});

test("a server of another cell does not start with a cell's database", async () => {
  await expect(second.rig.startAnother({ FLOATDECK_CELL: "3" })).rejects.toThrow(
    "This database belongs to cell 2, and FLOATDECK_CELL is 3; set FLOATDECK_CELL=2, or name another database.",
  );
});

test("the client library follows to the cell of its key, and stays there", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-cells-"));
  try {
    const installed = await installClient(first.rig, folder);
    const { Floatdeck } = await import(pathToFileURL(path.join(installed, "index.js")).href);
    const seen: (number | undefined)[] = [];
    const client = new Floatdeck({
      apiKey: keyOf(second),
      baseUrl: first.rig.baseUrl,
      cells: { c2: second.rig.baseUrl },
      log: ({ response }: { response?: { status: number } }) => seen.push(response?.status),
    });
    const before = await readEffects(second.rig, second.client);
    const amount = { card_id: second.client.cardId, amount: 1 };
    await client.cards.credit(amount, { idempotencyKey: "followed" });
    await client.cards.credit(amount, { idempotencyKey: "stayed" });
    expect(seen).toEqual([421, 200, 200]);
    expect(await readEffects(second.rig, second.client)).toEqual({
      keyed: before.keyed + 2,
      balance: before.balance + 2,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

for (const { name, isInstalled, start } of PROXIES) {
  describe.skipIf(!isInstalled)(`behind ${name}`, () => {
    let proxy: Proxy;

    beforeAll(async () => {
      proxy = await start(placeOf(first), placeOf(first), {
        ...WITHOUT_PAGES[name],
        "#c2 ": "",
        "10.0.0.22:3000": placeOf(second),
        "10.0.0.23:3000": placeOf(second),
      });
    });

    afterAll(() => proxy.stop());

    test("the keys of both cells are served by theirs, reads and keyed changes", async () => {
      for (const { rig, client } of [first, second]) {
        const { headers, cardId } = client;
        const card = await fetch(`${proxy.baseUrl}/cards/${cardId}`, { headers });
        expect(card.status).toBe(200);
        const before = await readEffects(rig, client);
        const key = `through-${name}`;
        expect(await credit(proxy, client, key)).toMatchObject({ status: 200 });
        expect(await credit(proxy, client, key)).toMatchObject({ status: 200 });
        expect(await credit(proxy, client, null)).toMatchObject({ status: 200 });
        expect(await readEffects(rig, client)).toEqual({
          keyed: before.keyed + 1,
          balance: before.balance + 2,
        });
      }
    });

    test("a key of a cell that is not there is refused by the first one", async () => {
      const headers = {
        Authorization: `Bearer ${newKey({ environment: "sandbox", cell: 9 })}`,
      };
      const answer = await fetch(`${proxy.baseUrl}/cards`, { headers });
      expect(await answer.json()).toMatchObject({ status: 421, code: "cell_elsewhere" });
    });

    test("while the second cell is down, its keys are told to come again, and those of the first are served", async () => {
      const gone = once(second.rig.server, "exit");
      second.rig.server.kill("SIGKILL");
      await gone;
      const { client } = second;
      await expect
        .poll(() => credit(proxy, client, `down-${name}`))
        .toMatchObject({ code: "outcome_unknown", retryAfter: "1" });
      expect(await credit(proxy, first.client, `up-${name}`)).toMatchObject({ status: 200 });
      await second.rig.restartServer();
      await expect
        .poll(() => credit(proxy, client, `down-${name}`), { timeout: 10_000 })
        .toMatchObject({ status: 200 });
    });
  });
}
