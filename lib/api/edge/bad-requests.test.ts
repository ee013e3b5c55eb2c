import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { expectProblem } from "#test/scene/problems.ts";
import { newId } from "#lib/base/ids.ts";

let mine: TestIntegrator;

beforeAll(async () => {
  mine = await newIntegrator(1_000);
});

function update(body: unknown): Promise<ApiReply> {
  return call("PATCH /card-integrators/update", { key: mine.apiKey, body });
}

describe("a member", () => {
  test("that is missing is required, whatever else its schema says", async () => {
    const credit = await call("PATCH /cards/credit/balance", { key: mine.apiKey, body: {} });
    const required = ["This field is required."];
    expectProblem(credit, { status: 422, errors: { amount: required, card_id: required } });
    const debit = await call("PATCH /cards/debit/balance", { key: mine.apiKey, body: {} });
    expectProblem(debit, { status: 422, errors: { amount: required, card_id: required } });
    const card = await call("POST /cards/create-virtual-card", { key: mine.apiKey, body: {} });
    const names = ["currency", "design_type", "single_use", "user_id", "validity"];
    expectProblem(card, {
      status: 422,
      errors: Object.fromEntries(names.map((name) => [name, required])),
    });
    const user = await call(`POST /card-integrators/${mine.id}/register-user`, {
      key: mine.apiKey,
      body: { address: {} },
    });
    expect(user.json).toMatchObject({ errors: { "address.city": required, email: required } });
  });

  test.each([
    ["20.00", ""],
    ["2e3", ""],
    ['"20.00"', ""],
    ['"20"', " Send it without quotes."],
    ["20.5", ""],
  ])("that is an amount written as %s says what an amount is", async (amount, advice) => {
    const reply = await call("PATCH /card-integrators/top-up-float", {
      key: mine.apiKey,
      body: `{"amount":${amount}}`,
    });
    const sentence = `This field must be a whole number of the minor unit: 2000 is $20.00.${advice}`;
    expect(reply).toMatchObject({ status: 422, json: { errors: { amount: [sentence] } } });
  });
});

test.each([
  ["gha", 200],
  ["288", 200],
  [" Ghana ", 200],
  ["Atlantis", 422],
  ["ZZ", 422],
])("the country %j is answered %i, and stored by its alpha-2 code", async (country, status) => {
  const body = { country };
  const reply = await call("PATCH /card-integrators/settings", { key: mine.apiKey, body });
  const refused = "This field must be an ISO 3166-1 country code, for example US.";
  const json = status === 200 ? { data: { country: "GH" } } : { errors: { country: [refused] } };
  expect(reply).toMatchObject({ status, json });
});

describe("an update", () => {
  test("with a fourth member changes nothing and names it", async () => {
    const reply = await update({ domain: "new.example", email: "x@example.com" });
    expectProblem(reply, { status: 422, errors: { email: [expect.any(String)] } });
    const me = await call("GET /card-integrators/me", { key: mine.apiKey });
    expect(me.json).toMatchObject({ data: { domain: "northwind.example" } });
  });

  test("names every invalid member at once", async () => {
    const reply = await update({
      domain: 1,
      webhook_url: "ftp://x",
      business_address: "",
      other: 1,
    });
    const names = Object.keys((reply.json as { errors: object }).errors).toSorted();
    expect(names).toEqual(["business_address", "domain", "other", "webhook_url"]);
  });

  test.each([
    ["no body", undefined],
    ["an empty object", {}],
  ])("with %s names the three members", async (_name, body) => {
    const reply = await update(body);
    expectProblem(reply, { status: 422 });
    const names = Object.keys((reply.json as { errors: object }).errors).toSorted();
    expect(names).toEqual(["business_address", "domain", "webhook_url"]);
  });

  test.each([
    { webhook_url: "http://user:pass@example.com" },
    { webhook_url: "https://example.com/#part" },
    { webhook_url: "" },
    { webhook_url: `https://example.com/${"x".repeat(2_048)}` },
    { domain: "not a host" },
    { domain: "" },
    { domain: null },
    { business_address: "x".repeat(501) },
    { business_address: "   " },
    { business_address: null },
  ])("refuses %j", async (body) => {
    const reply = await update(body);
    expect(reply.status).toBe(422);
  });
});

describe("credentials", () => {
  test("a key with a typo, another scheme, and a revoked kind are a 401", async () => {
    const typo = mine.apiKey.replace(/.$/u, (last) => (last === "A" ? "B" : "A"));
    for (const [position, header] of [
      `Bearer ${typo}`,
      "Basic abc",
      "Bearer ",
      "Bearer",
    ].entries()) {
      const reply = await call("GET /cards", {
        headers: { Authorization: header },
        address: `10.1.0.${position}`,
      });
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/u);
    }
  });

  test("the twenty-first bad key from one address within a minute is a 429, a good one still works", async () => {
    // Each three seconds allow one more guess. The clock stands still here, however long the
    // requests take.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses = [];
    for (let attempt = 0; attempt < 21; attempt += 1) {
      const reply = await call("GET /cards", { key: "fd_test_bad", address: "10.2.0.1" });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    const limited = await call("GET /cards", { key: "fd_test_bad", address: "10.2.0.1" });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    const good = await call("GET /cards", { key: mine.apiKey, address: "10.2.0.1" });
    expect(good.status).toBe(200);
  });
});

describe("paths and methods", () => {
  test.each(["/", "/cards/x/y/z", "/nothing", "/cards/", "/CARDS", "/card-integrators"])(
    "the unknown path %s is a problem",
    async (path) => {
      const reply = await call(`GET ${path}`, { key: mine.apiKey });
      expect(reply).toMatchObject({ status: 404, json: { code: "path_unknown", status: 404 } });
      expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
    },
  );

  test.each([
    ["DELETE", "/cards", ["GET", "HEAD"]],
    ["GET", "/cards/top-up", ["PATCH"]],
    ["POST", `/cards/${newId()}`, ["GET", "HEAD"]],
    ["PUT", "/card-integrators/update", ["PATCH"]],
    ["OPTIONS", "/cards", ["GET", "HEAD"]],
  ] as const)("%s %s is a 405 that names the allowed methods", async (method, path, allowed) => {
    const reply = await call(`${method} ${path}`, { key: mine.apiKey });
    expectProblem(reply, { status: 405, code: "method_not_allowed" });
    for (const name of allowed) {
      expect(reply.headers.get("allow")).toContain(name);
    }
  });
});
