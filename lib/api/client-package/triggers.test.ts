import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import { toClientContract } from "#lib/api/client-package/package.ts";
import { run } from "#lib/api/client-package/source/command/run.ts";
import { TRIGGERS } from "#lib/api/client-package/source/command/triggers.ts";
import { defineClient } from "#lib/api/client-package/source/client.ts";
import { createFetchApi } from "#test/scene/api-client.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { EVENTS } from "#lib/record/event-catalog.ts";

const URL_OF_API = "http://127.0.0.1:3000";

let printed = "";

beforeAll(async () => {
  const api = await createFetchApi();
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => api(new Request(url, init)));
  vi.spyOn(process.stdout, "write").mockImplementation(print);
  vi.spyOn(process.stderr, "write").mockImplementation(print);
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function print(text: string | Uint8Array): boolean {
  printed += String(text);
  return true;
}

async function trigger(name: string, key: string): Promise<number> {
  printed = "";
  const contract = toClientContract(URL_OF_API);
  const made = { Floatdeck: defineClient(contract), baseUrl: contract.baseUrl };
  return run(made, ["trigger", name, "--key", key]);
}

test("there is a trigger for every event, and for nothing else", () => {
  expect(Object.keys(TRIGGERS).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
});

test.each(Object.keys(EVENTS))("trigger %s makes it happen in a new account", async (name) => {
  const mine = await newIntegrator(0);
  await write(mine, (ctx) => updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }));
  const exitCode = await trigger(name, mine.apiKey);
  expect({ exitCode, printed }).toMatchObject({ exitCode: 0 });
  expect(printed).toMatch(new RegExp(`^${name}  (card|float|account|cardholder) .* event `, "u"));
});

test("without a webhook URL, webhook.test says why it cannot happen", async () => {
  const { apiKey } = await newIntegrator();
  expect(await trigger("webhook.test", apiKey)).toBe(1);
  expect(printed).toContain("needs a webhook URL");
});

test("an unknown event and an unknown option are a wrong call", async () => {
  expect(await trigger("card.frozn", "fd_test_any")).toBe(2);
  expect(printed).toContain("There is no event card.frozn.");
});
