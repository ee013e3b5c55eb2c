import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCards, resultsOf, run, UNKNOWN } from "#test/scene/bulk-account.ts";
import type { Job } from "#test/scene/bulk-account.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";

beforeEach(() => openCardAccount(1_000, 100));

const undo = (operation: string, id: string) => ask("POST /bulk", { operation, changed_by: id });

const LATER = new Date(Date.now() + 86_400_000).toISOString();

describe("is refused:", () => {
  test.each([
    ["neither items nor filter", { operation: "freeze" }, "items"],
    ["both", { operation: "freeze", items: [{}], filter: {} }, "filter"],
    ["another job's cards to be closed", { operation: "close", changed_by: UNKNOWN }, "changed_by"],
    ["no job of ours to undo", { operation: "freeze", changed_by: UNKNOWN }, "changed_by"],
    ["a reason of an undo", { operation: "freeze", changed_by: UNKNOWN, reason: "lost" }, "reason"],
    ["a level of an undo", { operation: "unfreeze", changed_by: UNKNOWN, level: "staff" }, "level"],
    ["an end of an undo", { operation: "freeze", changed_by: UNKNOWN, until: LATER }, "until"],
    [
      "a version of a credit",
      { operation: "credit", items: [{ amount: 5, status_version: 1 }] },
      "items.0.status_version",
    ],
    ["a credit by filter", { operation: "credit", filter: {} }, "filter"],
    ["a credit without an amount", { operation: "credit", items: [{}] }, "items.0.amount"],
    ["a credit of all", { operation: "credit", items: [{ amount: "all" }] }, "items.0.amount"],
    ["a freeze of an amount", { operation: "freeze", items: [{ amount: 5 }] }, "items.0.amount"],
    ["a level of a close", { operation: "close", level: "staff", items: [{}] }, "level"],
    ["other without a comment", { operation: "freeze", reason: "other", items: [{}] }, "comment"],
    [
      "no spending controls to set",
      { operation: "set_spending_controls", items: [{}] },
      "spending_controls",
    ],
    [
      "spending controls of a freeze",
      { operation: "freeze", spending_controls: {}, items: [{}] },
      "spending_controls",
    ],
    [
      "all or nothing by filter",
      { operation: "freeze", mode: "all_or_nothing", filter: {} },
      "mode",
    ],
  ])("%s", async (_, asked: object, member) => {
    const { items, ...body }: { items?: object[] } = asked;
    const reply = await ask("POST /bulk", {
      ...body,
      ...(items && { items: items.map((item) => ({ card_id: cardId, ...item })) }),
    });
    expect(reply).toMatchObject({ status: 422, json: { code: "validation_failed" } });
    expect(Object.keys((reply.json as { errors: object }).errors)).toEqual([member]);
  });

  test("what a key may not do to one card", async () => {
    const { key } = await newScopedKey(integrator.id, ["cards:read", "cards:freeze"]);
    const send = (body: object) =>
      call("POST /bulk", { key, body: { items: [{ card_id: cardId }], ...body } });
    expect(await send({ operation: "freeze" })).toMatchObject({ status: 202 });
    expect(await send({ operation: "close" })).toMatchObject({ status: 403 });
    expect(await send({ operation: "freeze", level: "staff" })).toMatchObject({ status: 403 });
    const { id } = await run({ operation: "close", check: true, items: [{ card_id: cardId }] });
    expect(await call(`POST /bulk/${id}/cancel`, { key })).toMatchObject({
      status: 403,
      json: { code: "scope_missing" },
    });
    await ask(`PATCH /cards/${cardId}/freeze`, { level: "staff" });
    const { json } = await send({ operation: "unfreeze" });
    expect(await resultsOf((json as { data: Job }).data)).toEqual([
      [cardId, "refused", "freeze_not_liftable"],
    ]);
  });

  test("a job to be undone that did the same, only checked, or runs", async () => {
    const frozen = await run({ operation: "freeze", items: [{ card_id: cardId }] });
    expect(await undo("freeze", frozen.id)).toMatchObject({ status: 422 });
    const checked = await run({ operation: "unfreeze", check: true, items: [{ card_id: cardId }] });
    expect(await undo("freeze", checked.id)).toMatchObject({ status: 422 });
    const { json: made } = await ask("POST /bulk", {
      operation: "freeze",
      items: (await newCards(65)).map((id) => ({ card_id: id })),
    });
    const running = (made as { data: Job }).data;
    expect(await undo("unfreeze", running.id)).toMatchObject({ status: 422 });
  });

  test("another account's job", async () => {
    const { id } = await run({ operation: "freeze", items: [{ card_id: cardId }] });
    const { apiKey: key } = await newIntegrator();
    const file = `GET /exports/bulk-results/${id}`;
    expect(await call(file, { key })).toMatchObject({ status: 404 });
    const body = { operation: "unfreeze", changed_by: id };
    expect(await call("POST /bulk", { key, body })).toMatchObject({ status: 422 });
    for (const line of [`GET /bulk/${id}`, `GET /bulk/${id}/results`, `POST /bulk/${id}/cancel`]) {
      expect(await call(line, { key })).toMatchObject({ json: { code: "bulk_job_not_found" } });
    }
  });
});
