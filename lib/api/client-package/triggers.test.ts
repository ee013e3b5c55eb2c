import { expect, test } from "vitest";
import { runCommand } from "#test/scene/client-command.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";

test("trigger says what happened to what, and in which event", async () => {
  const { apiKey } = await newIntegrator(0);
  const { exitCode, printed } = await runCommand("trigger card.transaction", apiKey);
  expect({ exitCode, printed }).toMatchObject({ exitCode: 0 });
  expect(printed).toMatch(/^card\.transaction  card [0-9a-f-]{36}  event [0-9a-f-]{36}\n$/u);
});

test("without a webhook URL, webhook.test says why it cannot happen", async () => {
  const { apiKey } = await newIntegrator();
  const { exitCode, printed } = await runCommand("trigger webhook.test", apiKey);
  expect(exitCode).toBe(1);
  expect(printed).toContain("no webhook URL");
});

test("an unknown event is a wrong call", async () => {
  const { exitCode, printed } = await runCommand("trigger card.frozn", "fd_test_any");
  expect(exitCode).toBe(2);
  expect(printed).toContain("There is no event card.frozn.");
});
