import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

/** Fifty mistakes of newcomers. Each answer names what to send instead: the test sends that and succeeds. */

interface Try extends ApiCall {
  line: string;
  /** The Authorization header, from the right one. */
  authorize?: (right: string) => string;
}

interface Mistake {
  wrong: Try;
  /** What the answer must name. */
  names: readonly string[];
  right: Try;
}

let mine: TestIntegrator;
const ids = { card: "", user: "" };

beforeAll(async () => {
  mine = await newIntegrator(1_000_000);
  const made = await newCard(mine);
  Object.assign(ids, { card: made.id, user: made.cardholderId });
});

const CREDIT = "PATCH /cards/credit/balance";
const CREATE = "POST /cards/create-virtual-card";
const credit = { card_id: "CARD", amount: 2000 };
const card = {
  user_id: "USER",
  currency: "USD",
  design_type: "default",
  single_use: false,
  validity: 24,
};
const RIGHT_CREDIT = { line: CREDIT, body: credit };
const RIGHT_TEXT = { line: CREDIT, body: '{"card_id": "CARD", "amount": 2000}' };
const RIGHT_CARD = { line: CREATE, body: card };
const FREEZE = "PATCH /cards/CARD/freeze";
const METADATA = { line: "PATCH /cards/CARD", body: { metadata: { order: "4711" } } };

/** A query that is wrong, and the one that the answer names. */
const query = (wrong: string, names: readonly string[], right: string): Mistake => ({
  wrong: { line: `GET ${wrong}` },
  names,
  right: { line: `GET ${right}` },
});

const creditOf = (body: unknown, ...names: string[]): Mistake => ({
  wrong: { line: CREDIT, body },
  names,
  right: RIGHT_CREDIT,
});

const text = (body: string, ...names: string[]): Mistake => ({
  wrong: { line: CREDIT, body },
  names,
  right: RIGHT_TEXT,
});

const cardOf = (change: object, ...names: string[]): Mistake => ({
  wrong: { line: CREATE, body: { ...card, ...change } },
  names,
  right: RIGHT_CARD,
});

const path = (wrong: string, right: string, body?: unknown): Mistake => ({
  wrong: { line: wrong, body },
  names: [right.replace(" ", " /api").replace("CARD", "{id}")],
  right: { line: right, body },
});

const key = (authorize: (right: string) => string, ...names: string[]): Mistake => ({
  wrong: { line: "GET /cards", authorize },
  names,
  right: { line: "GET /cards" },
});

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "another word for status": query("/cards?state=active", ["status"], "/cards?status=active"),
  "a status in the singular form": query(
    "/cards?status=freeze",
    ["frozen"],
    "/cards?status=frozen",
  ),
  "a status with a typo": query("/cards?status=activ", ["active"], "/cards?status=active"),
  "a status in capitals": query("/cards?status=ACTIVE", ["active"], "/cards?status=active"),
  "two words, one with a typo": query(
    "/cards?status=active,frozn",
    ["active,frozen"],
    "/cards?status=active,frozen",
  ),
  "Stripe's cursor": query("/events?starting_after=", ["after"], "/events"),
  "Stripe's expansion": query("/cards?expand[]=user", ["limit", "cursor", "status"], "/cards"),
  "Stripe's range of times": query(
    "/transactions?created_after=2026-01-01",
    ["from"],
    "/transactions?from=2026-01-01",
  ),
  "the size of a page": query("/cards?per_page=5", ["limit"], "/cards?limit=5"),
  "a limit that is too large": query("/cards?limit=500", ["1 to 100"], "/cards?limit=100"),
  "a cardholder's id": query("/cards?cardholder_id=USER", ["user_id"], "/cards?user_id=USER"),
  "a parameter in camel case": query(
    "/transactions?cardId=CARD",
    ["card_id"],
    "/transactions?card_id=CARD",
  ),
  "an American date": query(
    "/transactions?from=01/31/2026",
    ["2026-01-31"],
    "/transactions?from=2026-01-31",
  ),
  "a period from its end to its start": query(
    "/transactions?from=2026-02-01&to=2026-01-01",
    ["must not be after to", "must not be before from"],
    "/transactions?from=2026-01-01&to=2026-02-01",
  ),
  "an order": query("/cards?sort=newest", ["order"], "/cards?order=newest"),
  "a search by q": query("/cards?q=ada", ["search"], "/cards?search=ada"),
  "a parameter with an empty id": query(
    "/transactions?card_id=",
    ["Leave it out"],
    "/transactions",
  ),

  "a member in camel case": creditOf({ cardId: "CARD", amount: 2000 }, "card_id"),
  "a member with a hyphen": creditOf({ "card-id": "CARD", amount: 2000 }, "card_id"),
  "a member without its end": creditOf({ card: "CARD", amount: 2000 }, "card_id"),
  "a member with a unit": creditOf({ card_id: "CARD", amount_cents: 2000 }, "amount"),
  "a member with a typo": creditOf({ card_id: "CARD", amuont: 2000 }, "amount"),
  "an amount in quotes": creditOf({ card_id: "CARD", amount: "2000" }, "without quotes"),
  "an amount in dollars": creditOf({ card_id: "CARD", amount: "20.00" }, "2000 is $20.00"),
  "a card as an object": creditOf({ card_id: { id: "CARD" }, amount: 2000 }, "its id alone"),
  "an id with spaces": creditOf({ card_id: " CARD ", amount: 2000 }, "without the spaces"),
  "an id in a list": creditOf({ card_id: ["CARD"], amount: 2000 }, "without a list"),
  "an idempotency key in the body": {
    ...creditOf({ ...credit, idempotency_key: "4711" }, "header Idempotency-Key"),
    right: { ...RIGHT_CREDIT, headers: { "Idempotency-Key": "4711" } },
  },
  "a body's members in the query": {
    wrong: { line: `${CREDIT}?card_id=CARD`, body: credit },
    names: ["in the body"],
    right: RIGHT_CREDIT,
  },
  "a currency in lower case": cardOf({ currency: "usd" }, "upper case"),
  "a flag in quotes": cardOf({ single_use: "false" }, "without quotes"),
  "a number in quotes": cardOf({ validity: "24" }, "without quotes"),
  "a cardholder by another word": {
    wrong: { line: CREATE, body: { ...card, user_id: undefined, cardholder_id: "USER" } },
    names: ["user_id"],
    right: RIGHT_CARD,
  },
  "metadata with a number": {
    wrong: { ...METADATA, body: { metadata: { order: 4711 } } },
    names: ["in quotes"],
    right: METADATA,
  },

  "a status that is set": {
    wrong: { line: "PATCH /cards/CARD", body: { status: "frozen" } },
    names: ["PATCH /api/cards/{id}/freeze"],
    right: { line: FREEZE, body: {} },
  },
  "a status that is set back": {
    wrong: { line: "PATCH /cards/CARD", body: { status: "active" } },
    names: ["PATCH /api/cards/{id}/unfreeze"],
    right: { line: "PATCH /cards/CARD/unfreeze", body: {} },
  },
  "the card's id once more": {
    wrong: { line: FREEZE, body: { card_id: "CARD" } },
    names: ["The path names it"],
    right: { line: FREEZE, body: {} },
  },
  "a reason with a typo": {
    wrong: { line: FREEZE, body: { reason: "stollen" } },
    names: ["stolen"],
    right: { line: FREEZE, body: { reason: "stolen" } },
  },

  "a slash at the end": path("GET /cards/", "GET /cards"),
  "a slash too many": path("GET //cards", "GET /cards"),
  "a version in the path": path("GET /v1/cards", "GET /cards"),
  "another method": path("POST /cards/CARD/freeze", FREEZE, {}),
  "a word for a path": path("PATCH /cards/CARD/freze", FREEZE, {}),

  "a live key": key((right) => right.replace("fd_test_", "fd_live_"), "fd_test_"),
  "another API's key": key(() => "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc", "fd_test_"),
  "a key that is cut off": key((right) => right.slice(0, -3), "incomplete"),
  "a key without Bearer": key((right) => right.slice("Bearer ".length), "Bearer <API key>"),
  "a signing secret for a key": key(() => "Bearer whsec_c2VjcmV0", "signing secret", "fd_test_"),

  "PowerShell's lost quotes": text("{card_id: CARD, amount: 2000}", "column 2", "PowerShell"),
  "single quotes": text("{'card_id': 'CARD', 'amount': 2000}", "column 2", "double quotes"),
  "a comma too many": text('{"card_id": "CARD",\n "amount": 2000,}', "line 2, column 17", '"}"'),
  "an object that was not serialized": text("[object Object]", "JSON.stringify"),
  "a form": text("card_id=CARD&amount=2000", "form", "JSON object"),
  "JSON within JSON": text(JSON.stringify('{"amount": 2000}'), "only once"),
  "a byte order mark before a typo": text('\ufeff{"card_id": CARD}', "column 14"),
};

test("there are fifty", () => {
  expect(Object.keys(MISTAKES).length).toBeGreaterThanOrEqual(50);
});

test.each(Object.entries(MISTAKES))("%s", async (_name, { wrong, names, right }) => {
  const refused = await send(wrong);
  const said = JSON.stringify(refused.json);
  expect([refused.status >= 400 && refused.status < 500, said]).toEqual([true, said]);
  for (const name of names) {
    const { detail, errors = {} } = Object(refused.json);
    expect([detail, ...Object.values(errors).flat()].join("\n")).toContain(name);
  }
  const next = await send(right);
  expect([next.status, next.text]).toEqual([right.line === CREATE ? 201 : 200, next.text]);
});

test("a byte order mark is skipped", async () => {
  const reply = await send({ ...RIGHT_TEXT, body: `\ufeff${RIGHT_TEXT.body}` });
  expect(reply.status).toBe(200);
});

/** Sends a try in which CARD and USER stand for this account's. */
function send({ line, body, authorize = (right) => right, headers }: Try) {
  return call(fill(line), {
    headers: { Authorization: authorize(`Bearer ${mine.apiKey}`), ...headers },
    body: typeof body === "string" ? fill(body) : body && JSON.parse(fill(JSON.stringify(body))),
  });
}

function fill(given: string): string {
  return given.replaceAll("CARD", ids.card).replaceAll("USER", ids.user);
}
