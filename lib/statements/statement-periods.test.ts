import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { toPeriodName } from "#lib/base/calendar-period.ts";

let integrator: TestIntegrator;
let paths: string[];

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
  const { id } = await newCard(integrator, 100);
  paths = [
    "/card-integrators/float-statement",
    `/cards/${id}/statement`,
    "/exports/float-statement",
    `/exports/cards/${id}/statement`,
  ];
});

const ask = (path: string, query: string) =>
  call(`GET ${path}?${query}`, { key: integrator.apiKey });

const together = (name: string) =>
  `This field cannot be given together with ${name}: a statement has one period.`;

describe.each([
  ["month=2026-13", { month: "This field must be a month such as 2026-10, from 1970 to 9998." }],
  ["month=October", { month: expect.stringContaining("2026-10") }],
  ["day=2026-02-30", { day: expect.stringContaining("2026-10-31") }],
  ["week=2027-W53", { week: expect.stringContaining("2026-W44") }],
  ["quarter=2026-Q5", { quarter: expect.stringContaining("2026-Q4") }],
  ["month=2026-10&day=2026-10-01", { month: together("day") }],
  ["month=2026-10&from=2026-10-01&to=2026-10-02", { from: together("month") }],
  [
    "from=Fuzz&to=Fuzz",
    {
      from: "This field must be a day such as 2026-10-31, from 1970 to 9998.",
      to: "This field must be a day such as 2026-10-31, from 1970 to 9998.",
    },
  ],
  ["from=2026-10-01", { from: "This field is allowed only together with to." }],
  ["to=2026-10-01", { to: "This field is allowed only together with from." }],
  ["from=2026-10-02&to=2026-10-01", { to: "This field must not be before from." }],
  ["from=2026-01-01&to=2027-01-02", { to: "This field must be at most 365 days after from." }],
  ["from=yesterday&to=2026-10-01", { from: expect.stringContaining("2026-10-31") }],
  ["year=2026", { year: expect.stringContaining("This field is not allowed here. Allowed: ") }],
] as const)("the period %s", (query, errors) => {
  test("is refused, and the error names the member and what is allowed", async () => {
    for (const path of paths) {
      const { status, json } = await ask(path, query);
      expect([path, status]).toEqual([path, 422]);
      const lists = Object.entries(errors).map(([name, text]) => [name, [text]]);
      expect(json).toMatchObject({ errors: Object.fromEntries(lists) });
    }
  });
});

test("a moment is one of the JSON operations only, and is refused beside a period", async () => {
  const [float = "", card = "", ...files] = paths;
  for (const path of [float, card]) {
    const { json } = await ask(path, "month=2026-10&at=2026-10-01T00:00:00Z");
    expect(json).toMatchObject({ errors: { at: [together("month")] } });
    expect((await ask(path, "at=yesterday")).status).toBe(422);
    expect((await ask(path, "at=2026-10-01T00:00:00Z")).status).toBe(200);
  }
  for (const path of files) {
    expect((await ask(path, "at=2026-10-01T00:00:00Z")).status).toBe(422);
  }
});

test("without a period, it is the current month in the account's time zone", async () => {
  const body = { time_zone: "Pacific/Kiritimati" };
  await call("PATCH /card-integrators/settings", { key: integrator.apiKey, body });
  const [float = ""] = paths;
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: body.time_zone }).format(new Date());
  expect((await ask(float, "")).json).toMatchObject({
    statement: {
      period: toPeriodName("month", local),
      time_zone: body.time_zone,
      from: expect.stringMatching(/T10:00:00\.000Z$/u),
      closing_balance: 900,
      final: false,
    },
  });
});

test("a period of 366 days, the longest, and of one day are allowed", async () => {
  for (const path of paths) {
    for (const query of ["from=2028-01-01&to=2028-12-31", "from=2026-10-01&to=2026-10-01"]) {
      expect((await ask(path, query)).status).toBe(200);
    }
  }
});

test("a cursor that no page had is refused", async () => {
  const [float = ""] = paths;
  const { status, json } = await ask(float, "cursor=x");
  expect(status).toBe(422);
  expect(json).toMatchObject({ errors: { cursor: [expect.any(String)] } });
});
