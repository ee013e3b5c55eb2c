import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import { newId } from "#lib/base/ids.ts";
import { processorOperations } from "#db/schema/processor.ts";

/** What merchants typed into their terminals reaches us through the card network. */

let key: string;

beforeAll(async () => {
  await openCardAccount(100_000, 10_000);
  key = await newProcessorKey();
});

const SHOP = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

/** @param description what follows in the body, as JSON. */
function authorize(description: string, reference = newId()): Promise<ApiReply> {
  const body = `{"reference":"${reference}","card_id":"${cardId}","amount":1,"currency":"USD",${description}}`;
  return call("POST /processor/authorizations", { key, body });
}

async function read(approved: ApiReply): Promise<unknown> {
  const { id } = approved.json as { id: string };
  const { json } = await call(`GET /transactions/${id}`, { key: integrator.apiKey });
  return (json as { data: unknown }).data;
}

describe("dirty text from the card network", () => {
  test.each([
    ['{"name":""}', { name: "Unknown merchant", mcc: null, city: null, country: null }],
    ["{}", { name: "Unknown merchant", mcc: null, city: null, country: null }],
    ['{"name":"A","mcc":"58140","country":"QZZ"}', { mcc: null, country: null }],
    ['{"name":"A","mcc":581,"country":840}', { mcc: null, country: "US" }],
    ['{"name":"A","city":"800-555-0142","country":"USA"}', { city: null, country: "US" }],
    [String.raw`{"name":"A\u0000\u001b[31m","city":"\ud800"}`, { name: "A  [31m", city: "\ufffd" }],
  ])("is never a reason to refuse an authorization: %s", async (sent, merchant) => {
    const approved = await authorize(`"merchant":${sent}`);
    expect(approved).toMatchObject({ status: 200, json: { decision: "approved" } });
    expect(await read(approved)).toMatchObject({ merchant });
  });

  test("is kept as it came, where the integrator finds it beside the clean text", async () => {
    const narrative = "x".repeat(300);
    const merchant = { ...SHOP, country: "840" };
    const approved = await authorize(
      `"narrative":"${narrative}","merchant":${JSON.stringify(merchant)}`,
    );
    expect(await read(approved)).toMatchObject({
      narrative: "x".repeat(255),
      merchant: SHOP,
      as_received: { narrative, "merchant.country": "840" },
    });
    expect(await read(await authorize(`"merchant":${JSON.stringify(SHOP)}`))).toMatchObject({
      merchant: SHOP,
      as_received: null,
    });
  });

  test("is no reason to refuse a refund either", async () => {
    const { id } = (await authorize('"narrative":"A"')).json as { id: string };
    const captured = { key, body: { reference: newId() } };
    await call(`POST /processor/authorizations/${id}/captures`, captured);
    const merchant = { name: "\u0001", mcc: "1", city: "www.a.example", country: "ZZZ" };
    const body = { reference: newId(), card_id: cardId, transaction_id: id, amount: 1, merchant };
    expect(await call("POST /processor/refunds", { key, body })).toMatchObject({
      status: 200,
      json: {
        data: {
          merchant: { name: "Unknown merchant", mcc: null, city: null, country: null },
          as_received: { "merchant.name": "\u0001", "merchant.country": "ZZZ" },
        },
      },
    });
  });

  test("stays a fault of an integrator's own request, which a test can correct", async () => {
    const merchant = { name: "", mcc: "58140", country: "840" };
    const body = { type: "authorize", amount: 1, merchant, narrative: "x".repeat(256) };
    const mocked = { key: integrator.apiKey, body };
    expect(await call(`POST /cards/${cardId}/mock-transaction`, mocked)).toMatchObject({
      status: 422,
      json: {
        errors: {
          narrative: [expect.any(String)],
          "merchant.name": [expect.any(String)],
          "merchant.mcc": [expect.any(String)],
          "merchant.country": [expect.any(String)],
        },
      },
    });
  });

  test("never hides in what identifies: a reference and a card id are as strict as before", async () => {
    expect(await authorize('"narrative":"A"', String.raw`a\u0000`)).toMatchObject({
      status: 422,
      json: { errors: { reference: [expect.any(String)] } },
    });
    const named = String.raw`{"reference":"${newId()}","card_id":"\u0000","amount":1,"currency":"USD"}`;
    expect(await call("POST /processor/authorizations", { key, body: named })).toMatchObject({
      status: 422,
      json: { errors: { card_id: [expect.any(String)] } },
    });
    expect(await authorize(String.raw`"narrative":"A","\u0000":1`)).toMatchObject({
      status: 400,
      json: { code: "request_malformed" },
    });
  });
});

describe("a repeat of a reference", () => {
  test.each([
    ["white space", '"narrative":" CAFÉ  ROMA"', String.raw`"narrative":"CAFÉ\tROMA "`],
    ["normalization", '"narrative":"CAFÉ"', '"narrative":"CAFE\u0301"'],
    ["the merchant's white space", '"merchant":{"name":"A B"}', '"merchant":{"name":"A  B "}'],
  ])("that differs only in %s gets the first answer", async (_, first, again) => {
    const reference = newId();
    const answer = await authorize(first, reference);
    expect(answer.status).toBe(200);
    const repeated = await authorize(again, reference);
    expect(repeated.text).toBe(answer.text);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  });

  test("that differs in a letter is another request", async () => {
    const reference = newId();
    await authorize('"narrative":"CAFÉ"', reference);
    expect(await authorize('"narrative":"CAFE"', reference)).toMatchObject({
      status: 409,
      json: { code: "reference_reused" },
    });
  });

  test("that an earlier version answered, which compared every space, still gets that answer", async () => {
    const reference = newId();
    const sent = `{"amount":1,"card_id":"${cardId}","currency":"USD","narrative":"A  B","reference":"${reference}"}`;
    const { db } = testDatabase();
    const [known] = await db.select().from(processorOperations).limit(1);
    await db.insert(processorOperations).values({
      reference,
      operation: "createAuthorization",
      fingerprint: createHash("sha256")
        .update(`POST\n/api/processor/authorizations\n${sent}`)
        .digest("hex"),
      status: 200,
      contentType: "application/json; charset=utf-8",
      body: '{"id":null}',
      apiKeyId: known?.apiKeyId ?? "",
      requestId: newId(),
    });
    expect((await authorize('"narrative":"A  B"', reference)).text).toBe('{"id":null}');
  });
});
