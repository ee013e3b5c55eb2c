import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";
import { cardholders } from "#db/schema/integrators.ts";
import { runCommand } from "./floatdeck-cli.ts";
import type { CommandExit } from "./floatdeck-cli.ts";

function floatdeck(line: string): Promise<CommandExit> {
  return runCommand(line.split(" "), {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });
}

test("a cardholder is verified once, and the account learns of it", async () => {
  const integrator = await newIntegrator();
  const { cardholderId: userId } = await newCard(integrator);
  await testDatabase()
    .db.update(cardholders)
    .set({ verified: false })
    .where(eq(cardholders.id, userId));
  const verified = await floatdeck(`cardholder verify ${userId} --integrator ${integrator.id}`);
  expect(verified).toMatchObject({ code: 0, err: "" });
  expect(verified.out).toMatch(/^The cardholder .+ is verified\.\n$/u);
  expect((await floatdeck(`cardholder verify ${userId} --integrator ${integrator.id}`)).out).toBe(
    verified.out,
  );
  const user = await call(`GET /card-integrators/card-users/${userId}`, {
    key: integrator.apiKey,
  });
  expect(user.json).toMatchObject({ data: { verified: true } });
  const [, reported, ...others] = await eventsOf(integrator, userId);
  expect(reported).toMatchObject({
    event: "user.kyc-verification",
    data: { status: "verified", user_id: userId },
    previous: { status: "pending" },
  });
  expect(others).toEqual([]);
});

test("a cardholder that does not exist is a clear failure", async () => {
  const integrator = await newIntegrator();
  for (const id of [newId(), "x"]) {
    const { code, err } = await floatdeck(`cardholder verify ${id} --integrator ${integrator.id}`);
    expect({ code, err }).toEqual({ code: 1, err: "floatdeck: There is no such user.\n" });
  }
});
