import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { authorize, newScene } from "#test/scene/scene.ts";
import type { Scene } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import { listUnmatched } from "#lib/processor/unmatched.ts";
import { testDatabase } from "#test/database/database.ts";

let key: string;
let scene: Scene;

beforeAll(async () => {
  key = await newProcessorKey();
  scene = await newScene(key);
});

const send = (path: string, body: object): Promise<ApiReply> =>
  call(`POST /processor/${path}`, { key, body });

async function readMoney() {
  const { json } = await call(`GET /cards/${scene.card}`, { key: scene.apiKey });
  const { balance, held } = json as { balance: number; held: number };
  return { balance, held };
}

describe("a capture that waits for its authorization", () => {
  test("is booked with it, as it was sent, and its repeat gets that answer", async () => {
    const authorizationReference = newId();
    const clearing = {
      reference: newId(),
      authorization_reference: authorizationReference,
      amount: 4,
    };
    await send("captures", clearing);
    const id = await authorize(scene, 10, { reference: authorizationReference });
    expect(await readMoney()).toEqual({ balance: 96, held: 6 });
    const repeated = await send("captures", clearing);
    expect(repeated).toMatchObject({ status: 200, json: { data: { id, amount: 4 } } });
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  });

  test("ends the hold, if it is final and of the amount 0", async () => {
    const authorizationReference = newId();
    const clearing = { authorization_reference: authorizationReference, amount: 0, final: true };
    const sent = { ...clearing, reference: newId(), card_id: scene.card };
    expect(await send("captures", sent)).toMatchObject({ json: { code: "fact_unmatched" } });
    const before = await readMoney();
    await authorize(scene, 10, { reference: authorizationReference });
    expect(await readMoney()).toEqual(before);
  });

  test("stays kept if it named another card", async () => {
    const authorizationReference = newId();
    const clearing = { authorization_reference: authorizationReference, amount: 0, final: true };
    const sent = { ...clearing, reference: newId(), card_id: newId() };
    await send("captures", sent);
    const { held } = await readMoney();
    const id = await authorize(scene, 1, { reference: authorizationReference });
    expect(await readMoney()).toMatchObject({ held: held + 1 });
    expect(await send("captures", sent)).toMatchObject({ json: { code: "fact_unmatched" } });
    const [kept] = (await listUnmatched(testDatabase().db)).slice(-1);
    expect(kept).toMatchObject({ reason: "card_conflict", authorization: { id } });
  });
});

describe("a final capture of the amount 0", () => {
  test("releases what is held, and answers with the authorization", async () => {
    const before = await readMoney();
    const [byId, byReference] = [newId(), newId()];
    const end = { amount: 0, final: true };
    const first = await authorize(scene, 10, { reference: byId });
    expect(
      await send(`authorizations/${first}/captures`, { reference: newId(), ...end }),
    ).toMatchObject({ status: 200, json: { data: { id: first, status: "reversed" } } });
    const second = await authorize(scene, 10, { reference: byReference });
    await send(`authorizations/${second}/captures`, { reference: newId(), amount: 3 });
    const named = { reference: newId(), authorization_reference: byReference, ...end };
    expect(await send("captures", named)).toMatchObject({
      status: 200,
      json: { data: { id: second, status: "settled", amount: 3, hold: { released: 7 } } },
    });
    expect(await readMoney()).toEqual({ ...before, balance: before.balance - 3 });
  });

  test.each([
    ["that is not final", { amount: 0, authorization_reference: "a" }],
    ["that names no authorization", { amount: 0, final: true, card_id: newId() }],
  ])("%s is refused with what is allowed", async (_, members) => {
    expect(await send("captures", { reference: newId(), ...members })).toMatchObject({
      status: 422,
      json: { errors: { amount: [expect.stringContaining("final: true")] } },
    });
  });
});
