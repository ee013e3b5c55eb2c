import { beforeAll, expect, test } from "vitest";
import { createChecker, readDocument, toOperations } from "#test/scene/document.ts";
import type { DocumentedOperation } from "#test/scene/document.ts";
import { findRule } from "#test/scene/schema-values.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

/** Whatever body the server refuses for its form, the document refuses too, or names the rule in `x-rule`. */

let documented: Map<string, DocumentedOperation>;
let check: ReturnType<typeof createChecker>;
let document: Awaited<ReturnType<typeof readDocument>>;

beforeAll(async () => {
  document = await readDocument();
  documented = toOperations(document);
  check = createChecker(document);
});

/** Values of every type, at and beyond the bounds of the contract. */
const VALUES: readonly unknown[] = [
  null,
  "",
  " ",
  "x",
  "other",
  "capture",
  "x".repeat(2_100),
  -1,
  0,
  1,
  1.5,
  1_000_000_000_001,
  2 ** 53,
  true,
  [],
  ["x"],
  {},
  { x: 1 },
];

type Body = Readonly<Record<string, unknown>>;

/** The body with one change: a member absent, one with another value, and one too many. */
function* vary(body: Body): Generator<Body> {
  yield {};
  yield { ...body, surplus: 1 };
  for (const [name, value] of Object.entries(body)) {
    const { [name]: _absent, ...others } = body;
    yield others;
    for (const each of VALUES) {
      yield { ...others, [name]: each };
    }
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const inner of vary({ ...value })) {
        yield { ...others, [name]: inner };
      }
    }
  }
}

const WITH_BODY = OPERATIONS.filter(({ body }) => body !== null);

test.each(WITH_BODY.map((operation) => [operation.id, operation] as const))(
  "%s",
  (id, { body, examples: [example] }) => {
    const { schema = {} } = documented.get(id)?.requestBody?.content["application/json"] ?? {};
    const sample = { ...DEFAULTS[id], ...example.body };
    const missed = [...vary(sample)].filter((varied) => {
      const issues = body?.safeParse(varied).error?.issues ?? [];
      const unruled = issues.filter(({ path }) => !findRule(schema, path, document));
      return unruled.length > 0 && check(schema, varied) === null;
    });
    expect(missed).toEqual([]);
    expect(check(schema, sample)).toBeNull();
  },
);

const EUROS = { merchant_amount: 1, merchant_currency: "EUR" };

/** Members that the examples leave out. */
const DEFAULTS: Readonly<Record<string, Body>> = {
  updateAccount: { business_address: "1 Quay", webhook_url: "https://quay.example/" },
  updateSettings: {
    api_version: "0.5.0",
    program_name: "Quay",
    card_color: "#1b2340",
    contact_number: "1",
    country: "US",
    registration_number: "1",
  },
  updateUser: { email: "a@example.com", first_name: "A", last_name: "B", user_photo: null },
  createVirtualCard: { source: "integrator", card_integrator_id: "" },
  creditCard: { source: "integrator", narrative: "A" },
  unfreezeCard: { status_version: 1 },
  mockTransaction: { transaction_id: undefined, decline_with: "card_frozen", ...EUROS },
  createAuthorization: { expires_in: 60, allow_partial: true, ...EUROS },
  createCapture: { final: true },
  registerIntegrator: { webhook_url: null },
  createApiKey: { expires_in_days: 1 },
  confirmSelf: { code: null },
};
