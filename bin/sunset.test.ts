import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { SUNSET, whileSunset } from "#test/scene/sunset.ts";
import { readFileSync } from "node:fs";
import path from "node:path";
import { defineClient } from "#lib/api/client-package/source/client.ts";
import { toClientContract } from "#lib/api/client-package/package.ts";
import { toChangelog } from "#lib/api/changelog.ts";
import { toOpenApi } from "#lib/api/openapi.ts";
import { listDeprecations } from "#lib/operations/deprecations/list-deprecations.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";
import { EdgeRig } from "./edge/edge-rig.ts";

/** Rehearses the end of the deprecated operation on a server: the date is set, and has passed. */

const SUCCESSOR = "/api/cards/credit/balance";
const { id, path: own, deprecation } = topUpCard;

let rig: EdgeRig;
let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  rig = await EdgeRig.start();
  integrator = await newIntegrator(1_000);
  cardId = (await newCard(integrator)).id;
});

afterAll(() => rig.stop());

function newClient() {
  const Client = defineClient(toClientContract(`http://127.0.0.1:${rig.port}`));
  return new Client({ apiKey: integrator.apiKey });
}

test("the API answers 410 with the replacement, in its problem and in its headers", async () => {
  const response = await whileSunset(() =>
    fetch(`http://127.0.0.1:${rig.port}/api${own}`, {
      method: "PATCH",
      headers: {
        Authorization: `Bearer ${integrator.apiKey}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ card_id: cardId, amount: 1 }),
    }),
  );
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({
    code: "sunset",
    detail: expect.stringContaining(`Call PATCH ${SUCCESSOR} instead.`),
  });
  expect(response.headers.get("sunset")).toBe(SUNSET.toUTCString());
  expect(response.headers.get("link")).toContain(`<${SUCCESSOR}>; rel="successor-version"`);
});

test("the client throws the code at once, and the replacement that the report names works", async () => {
  const client = newClient();
  const fetched = vi.spyOn(globalThis, "fetch");
  const topUp = async () => client["cards"]?.["topUp"]?.({ card_id: cardId, amount: 1 });
  const [error, report] = await whileSunset(async () => [
    await topUp().catch((thrown: unknown) => thrown),
    await client["deprecations"]?.["list"]?.(),
  ]);
  const [reported] = listDeprecations.answer.parse(report).data;
  expect(error).toMatchObject({ code: "sunset", status: 410, isFinal: true });
  expect(fetched).toHaveBeenCalledTimes(2);
  fetched.mockRestore();
  expect(reported).toMatchObject({ operation: id, sunset_at: SUNSET.toISOString() });
  const { method, path: at, body } = reported?.replacement ?? {};
  const replaced = await fetch(`http://127.0.0.1:${rig.port}${at}`, {
    ...(method && { method }),
    headers: { Authorization: `Bearer ${integrator.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...Object(body), amount: 1 }),
  });
  expect(replaced.status).toBe(200);
});

function readOwnPath(): string {
  return JSON.stringify(toOpenApi("http://127.0.0.1").paths[own]);
}

test("the document declares the end before and after it has a date, and the guides explain it", async () => {
  const before = readOwnPath();
  expect(before).toContain("sunset");
  expect(before).toContain("#/components/headers/Sunset");
  await whileSunset(async () => {
    expect(readOwnPath()).toBe(before);
    expect(toChangelog()).toContain(`It stops working on ${SUNSET.toISOString().slice(0, 10)}`);
  });
  const [errors, versions] = ["errors.md", "versions.md"].map((file) =>
    readFileSync(path.join(import.meta.dirname, "../docs", file), "utf8"),
  );
  expect(errors).toContain("### sunset");
  expect(versions).toContain("410 `sunset`");
  expect(deprecation?.sunset).toBeNull();
});
