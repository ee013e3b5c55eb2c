import { beforeAll, describe, expect, test } from "vitest";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";

beforeAll(() => openCardAccount(1_000));

function credit(body: unknown, headers: Record<string, string> = {}) {
  return call("PATCH /cards/credit/balance", { key: integrator.apiKey, body, headers });
}

async function expectNothingMoved(): Promise<void> {
  const float = await call("GET /card-integrators/float", { key: integrator.apiKey });
  expect(float.json).toMatchObject({ balance: 1_000 });
}

/** The start of a credit, so that each case adds only what is wrong with it. */
function withAmount(amount: string): string {
  return `{"card_id":"${cardId}","amount":${amount}}`;
}

describe("a malformed body is a problem and never reaches the database", () => {
  const malformed: [string, () => string | Uint8Array][] = [
    ["text that is not JSON", () => "{amount: 1}"],
    ["a duplicate member", () => `{"amount":1,${withAmount("1").slice(1)}`],
    [
      "a duplicate member, once escaped",
      () => String.raw`{"\u0061mount":1,${withAmount("1").slice(1)}`,
    ],
    ["U+0000 in a value", () => `{"narrative":"a\\u0000b",${withAmount("1").slice(1)}`],
    ["U+0000 in a name", () => `{"narr\\u0000":"a",${withAmount("1").slice(1)}`],
    ["a lone surrogate", () => `{"narrative":"\\ud800",${withAmount("1").slice(1)}`],
    ["bytes that are not UTF-8", () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["UTF-16", () => Buffer.from(`\ufeff${withAmount("1")}`, "utf16le")],
    ["arrays nested 21 levels deep", () => `{"a":${"[".repeat(21)}${"]".repeat(21)}}`],
    ["arrays 20,000 deep", () => `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["objects 10,000 deep", () => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["60,000 opening brackets", () => "[".repeat(60_000)],
    [
      "201 members",
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`m${n}`, 1]))),
    ],
    ["a list instead of an object", () => "[]"],
    ["null", () => "null"],
  ];

  test.each(malformed)("%s", async (_name, body) => {
    const reply = await credit(body());
    expect([400, 422]).toContain(reply.status);
    expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
    await expectNothingMoved();
  });
});

describe("an amount is a plain whole number from 1 to 10^12", () => {
  test.each([
    "1.0",
    "1e2",
    "-0",
    "0",
    "-1",
    '"1"',
    "null",
    "true",
    "[1]",
    "9007199254740992",
    "9007199254740993",
    "1e400",
    "1000000000001",
    "0.1",
    '"all"',
  ])("%s", async (amount) => {
    const reply = await credit(withAmount(amount));
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({
      message: "Unprocessable entity",
      errors: { amount: [expect.stringMatching(/^This field/u)] },
    });
    await expectNothingMoved();
  });
});

describe("a number that is not written as a whole one", () => {
  test("is named in the detail, beside all that is wrong with the body", async () => {
    const reply = await credit('{"amount":20.5,"merchant":{"mcc":1e3},"__proto__":1}');
    expect(reply).toMatchObject({
      status: 422,
      json: {
        code: "validation_failed",
        detail:
          "The request is not valid for this operation: see card_id, amount, merchant, __proto__, merchant.mcc.",
        errors: {
          amount: ["This field must be a whole number of the minor unit: 2000 is $20.00."],
          "merchant.mcc": ["This field must be a whole number, written in digits only."],
          card_id: ["This field is required."],
        },
      },
    });
  });

  test("does not hide what makes the body ambiguous", async () => {
    const reply = await credit(`{"amount":20.5,"card_id":"a","card_id":"b"}`);
    expect(reply).toMatchObject({ status: 400, json: { code: "request_malformed" } });
  });
});

describe("size and content type", () => {
  test("65 KiB and one byte are refused, with and without a declared length", async () => {
    const large = "x".repeat(64 * 1_024 + 1);
    expect((await credit(large)).status).toBe(413);
    const counted = await credit(large, { "Content-Length": String(large.length) });
    expect(counted.status).toBe(413);
    expect(counted.json).toMatchObject({ code: "body_too_large" });
  });

  test("a body of 64 KiB is read", async () => {
    const body = withAmount("0");
    const padded = body + " ".repeat(64 * 1_024 - body.length);
    expect((await credit(padded)).status).toBe(422);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
  ])("%s is not read", async (type) => {
    const reply = await credit(withAmount("1"), { "Content-Type": type });
    expect(reply.status).toBe(415);
    expect(reply.json).toMatchObject({ code: "content_type_unsupported" });
    await expectNothingMoved();
  });

  test("a request without a body needs no content type", async () => {
    const reply = await call(`PATCH /cards/${cardId}/freeze`, {
      key: integrator.apiKey,
      headers: { "Content-Type": "text/plain" },
    });
    expect(reply.status).toBe(200);
  });
});

describe("queries", () => {
  test.each([
    "/cards?search=%00",
    "/cards?search=a%00b",
    "/cards?cursor=%00",
    "/cards?search=%ff%fe",
    "/cards?search=%ed%a0%80",
    "/cards?limit=0",
    "/cards?limit=101",
    "/cards?limit=1e1",
    "/cards?page=-1",
    "/cards?page=99999999999",
    "/cards?status=inactive",
    "/cards?user_id=1",
    "/cards?unknown=1",
    "/transactions?from=yesterday",
    "/card-integrators/float/entries?cursor=99999999999999999999",
    "/card-integrators/float/entries?cursor=1%00",
  ])("%s is answered and never a 500", async (path) => {
    const reply = await call(`GET ${path}`, { key: integrator.apiKey });
    expect([200, 400, 422]).toContain(reply.status);
  });

  test.each([
    "/cards?status=active,frozen",
    "/cards?status=active&status=frozen",
    "/cards?Status=active&status=frozen,active",
  ])("%s lists active and frozen cards", async (path) => {
    const other = await newIntegrator();
    const active = await newCard(other);
    const frozen = await newCard(other);
    const closed = await newCard(other);
    await call(`PATCH /cards/${frozen.id}/freeze`, { key: other.apiKey });
    await call(`POST /cards/${closed.id}/close`, { key: other.apiKey });
    const reply = await call(`GET ${path}`, { key: other.apiKey });
    expect(reply).toMatchObject({ status: 200, json: [{ id: frozen.id }, { id: active.id }] });
    const link = await call(`GET ${path}&limit=1`, { key: other.apiKey });
    expect(link.headers.get("link")).toContain("status=active%2Cfrozen");
  });

  test("an export takes its ids one by one, too", async () => {
    const other = await newIntegrator();
    const ids = [(await newCard(other)).id, (await newCard(other)).id, (await newCard(other)).id];
    const query = ids
      .slice(1)
      .map((id) => `ids=${id}`)
      .join("&");
    const { text } = await call(`GET /exports/cards?${query}`, { key: other.apiKey });
    expect(ids.map((id) => text.includes(id))).toEqual([false, true, true]);
  });

  test.each([
    ["/cards?search=a&search=b", "search"],
    ["/cards?metadata[a]=1&metadata[a]=2", "metadata[a]"],
    ["/cards?metadata[a]=1&metadata=2", "metadata"],
    ["/cards?constructor=1&constructor=2", "constructor"],
  ])("%s is refused: only a list may appear more than once", async (path, name) => {
    const reply = await call(`GET ${path}`, { key: integrator.apiKey });
    const sentence = "This field must appear once and must not contain U+0000.";
    expect(reply).toMatchObject({ status: 422, json: { errors: { [name]: [sentence] } } });
  });

  test("a text search takes quotes, percent signs and backslashes as text", async () => {
    for (const search of ["%27", "%25", "%5C", "_", "%F0%9F%92%B3"]) {
      const reply = await call(`GET /cards?search=${search}`, { key: integrator.apiKey });
      expect(reply).toMatchObject({ status: 200, json: [] });
    }
  });

  test.each(["%00", "%ff", "%zz", "..%2f..", "a".repeat(3_000), "%F0%9F%92%B3"])(
    "the id %s in a path is the 404 of an unknown one",
    async (id) => {
      const reply = await call(`GET /cards/${id}`, { key: integrator.apiKey });
      expect(reply.status).toBe(404);
    },
  );
});
