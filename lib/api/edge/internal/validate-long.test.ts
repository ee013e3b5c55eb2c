import { setImmediate } from "node:timers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { validateLong } from "#lib/api/edge/internal/validate-long.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { isDomainError } from "#lib/base/errors.ts";

const schema = z
  .strictObject({
    name: z.string(),
    items: z
      .array(z.strictObject({ id: z.string().max(3), amount: z.int().optional() }))
      .optional(),
  })
  .refine(({ name }) => name !== "bad", { path: ["name"], error: "Not this name." });

const item = fc.oneof(
  { weight: 20, arbitrary: fc.record({ id: fc.string({ maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ id: fc.string(), amount: fc.oneof(fc.nat(), fc.string()) }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 5, { id: "a", more: 1 }) },
);

const body = fc.record(
  {
    name: fc.constantFrom("good", "bad", 5),
    items: fc.oneof(fc.array(item, { minLength: 240, maxLength: 700 }), fc.constant("none")),
  },
  { requiredKeys: [] },
);

type Outcome = { data: unknown } | { errors: object; detail: string };

async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { data: await work() };
  } catch (error) {
    if (!isDomainError(error)) {
      throw error;
    }
    return { errors: error.errors ?? {}, detail: error.detail };
  }
}

test("a long body is judged like any other, and too many invalid elements by themselves", async () => {
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const [long, plain] = await Promise.all([
        outcomeOf(() => validateLong(schema, value, {})),
        outcomeOf(() => validate(schema, value)),
      ]);
      const isCounted =
        "errors" in long && / and \d+ more in the first \d+ of \d+ elements\.$/u.test(long.detail);
      const seen = isCounted ? Object.keys(long.errors).length : long;
      const isRefused = "errors" in plain;
      expect(seen).toEqual(isCounted && isRefused ? 20 : plain);
    }),
  );
});

test("20 invalid members are named, and the rest is counted as far as it was read", async () => {
  const items = Array.from({ length: 1_000 }, () => ({ id: "long", more: 1 }));
  const refused = await outcomeOf(() => validateLong(schema, { name: "good", items }, {}));
  expect(refused).toMatchObject({
    errors: {
      "items.0.id": expect.anything(),
      "items.9.more": ["This field is not allowed here. Allowed: id, amount."],
    },
    detail: expect.stringMatching(
      /: see items\.0\.id, .*items\.9\.more and 480 more in the first 250 of 1000 elements\.$/u,
    ),
  });
});

test("others have their turns while a long body is judged", async () => {
  let turns = 0;
  let isOver = false;
  const take = () => {
    turns += 1;
    if (!isOver) {
      setImmediate(take);
    }
  };
  setImmediate(take);
  const items = Array.from({ length: 5_000 }, () => ({ id: "a" }));
  await outcomeOf(() => validateLong(schema, { name: "good", items }, {}));
  isOver = true;
  expect(turns).toBeGreaterThan(15);
});
