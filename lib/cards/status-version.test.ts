import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { holdAccount } from "#test/database/commit-queues.ts";
import { freezeCard, newCard, newIntegrator, unfreezeCard, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

interface CardBody {
  status: string;
  status_version: number;
  freeze: { reason: string } | null;
}

async function newScene() {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const ask = (verb: "freeze" | "unfreeze", body: object = {}, key = newId()): Promise<ApiReply> =>
    call(`PATCH /cards/${card.id}/${verb}`, {
      key: integrator.apiKey,
      body,
      headers: { "Idempotency-Key": key },
    });
  const read = async () => {
    const { json } = await call(`GET /cards/${card.id}`, { key: integrator.apiKey });
    return json as CardBody;
  };
  return { integrator, card, ask, read };
}

/** What a colleague does who found the card frozen, in two transactions: lifts the freeze and makes another. */
async function refreeze(integrator: TestIntegrator, cardId: string): Promise<void> {
  await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "stolen", comment: null }));
}

describe("a change that names the status it has seen", () => {
  test("applies while that status lasts, and counts it on", async () => {
    const { ask, read } = await newScene();
    expect(await read()).toMatchObject({ status: "active", status_version: 1 });
    const frozen = await ask("freeze", { status_version: 1 });
    expect(frozen).toMatchObject({ status: 200, json: { status: "frozen", status_version: 2 } });
    const again = await ask("freeze", { status_version: 2 });
    expect(again).toMatchObject({ status: 200, json: { status: "frozen", status_version: 2 } });
    const undone = await ask("unfreeze", { status_version: 2 });
    expect(undone).toMatchObject({ status: 200, json: { status: "active", status_version: 3 } });
  });

  test("is refused once the status has changed, even if it has changed back, and changes nothing", async () => {
    const { integrator, card, ask, read } = await newScene();
    const { status_version } = (await ask("freeze", { reason: "lost" })).json as CardBody;
    await refreeze(integrator, card.id);
    const key = newId();
    const refused = await ask("unfreeze", { status_version }, key);
    expect(refused).toMatchObject({
      status: 409,
      json: {
        code: "card_status_changed",
        detail:
          "Since you last read this card, its status has changed: it is now frozen. Nothing was changed.",
      },
    });
    expect((await ask("unfreeze", { status_version }, key)).text).toBe(refused.text);
    expect(await ask("freeze", { status_version })).toMatchObject({ status: 409 });
    expect(await read()).toMatchObject({ status_version: 4, freeze: { reason: "stolen" } });
  });

  test("is not disturbed by what happens to the card's money", async () => {
    const { integrator, card, ask } = await newScene();
    const { status_version } = (await ask("freeze")).json as CardBody;
    await call("PATCH /cards/debit/balance", {
      key: integrator.apiKey,
      body: { card_id: card.id, amount: 100 },
    });
    expect(await ask("unfreeze", { status_version })).toMatchObject({ status: 200 });
  });

  test("says first that a card is closed, and what a version looks like", async () => {
    const { integrator, card, ask } = await newScene();
    expect(await ask("freeze", { status_version: "1" })).toMatchObject({
      status: 422,
      json: { errors: { status_version: [expect.stringContaining("whole number")] } },
    });
    await call(`POST /cards/${card.id}/close`, { key: integrator.apiKey });
    expect(await ask("unfreeze", { status_version: 1 })).toMatchObject({
      json: { code: "card_closed" },
    });
  });
});

describe("an undo that races a colleague", () => {
  test("never lifts the colleague's freeze, whoever comes first", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, turn) => {
        const { integrator, card, ask, read } = await newScene();
        const { status_version } = (await ask("freeze", { reason: "lost" })).json as CardBody;
        const undo = () => ask("unfreeze", { status_version });
        const colleague = () => refreeze(integrator, card.id);
        const [first, second] = turn % 2 ? [undo, colleague] : [colleague, undo];
        await Promise.all([first(), second()]);
        return read();
      }),
    );
    expect(outcomes.map(({ freeze }) => freeze?.reason)).toEqual(outcomes.map(() => "stolen"));
  });

  test("is decided in the order of one commit that both share", async () => {
    const { card, ask, read } = await newScene();
    const { status_version } = (await ask("freeze", { reason: "lost" })).json as CardBody;
    const release = await holdAccount(card.id);
    const pending = Promise.all([
      ask("unfreeze"),
      ask("freeze", { reason: "stolen" }),
      ask("unfreeze", { status_version }),
    ]);
    setTimeout(release, 200);
    expect((await pending).map(({ status }) => status)).toEqual([200, 200, 409]);
    expect(await read()).toMatchObject({ status_version: 4, freeze: { reason: "stolen" } });
  });

  test("succeeds once, however often it is sent", async () => {
    const { ask, read } = await newScene();
    const { status_version } = (await ask("freeze")).json as CardBody;
    const undos = await Promise.all(
      Array.from({ length: 20 }, () => ask("unfreeze", { status_version })),
    );
    const statuses = undos.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await read()).toMatchObject({ status: "active", status_version: 3 });
  });
});
