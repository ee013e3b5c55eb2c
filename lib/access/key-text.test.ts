import { assert, constantFrom, integer, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { newKey, readCell, toKeyEnds, toKeyFault } from "#lib/access/key-text.ts";
import { CELL_MAX, FIRST_CELL } from "#lib/base/env.ts";
import { withoutSecrets } from "#lib/base/log.ts";

const place = {
  environment: constantFrom("sandbox" as const, "live" as const),
  cell: integer({ min: FIRST_CELL, max: CELL_MAX }),
};

test("a key says its environment and cell, shows its ends, and never stays in a log", () => {
  const made = property(place.environment, place.cell, (environment, cell) => {
    const key = newKey({ environment, cell });
    const other = environment === "live" ? "sandbox" : "live";
    expect([readCell(key, environment), readCell(key, other)]).toEqual([cell, undefined]);
    expect(toKeyFault(key, { environment, cell })).toBeNull();
    const { prefix, suffix } = toKeyEnds(key);
    expect(prefix).toMatch(
      cell === FIRST_CELL ? /^fd_(?:test|live)_\w{4}$/u : /^fd_(?:test|live)_c\d{1,4}_\w{4}$/u,
    );
    expect([key.startsWith(prefix), key.endsWith(suffix), suffix.length]).toEqual([true, true, 4]);
    expect(withoutSecrets(`{"key":"${key}"}`)).toBe('{"key":"[redacted]"}');
  });
  assert(made, {
    examples: [
      ["live", 1],
      ["sandbox", 2],
      ["live", CELL_MAX],
    ],
  });
});

test("a key with one wrong character is of no cell", () => {
  assert(
    property(place.environment, place.cell, nat(), constantFrom("a", "1", "9", "_"), (...given) => {
      const [environment, cell, position, character] = given;
      const key = newKey({ environment, cell });
      const at = position % key.length;
      const wrong = key.slice(0, at) + character + key.slice(at + 1);
      expect(readCell(wrong, environment)).toBe(wrong === key ? cell : undefined);
    }),
  );
});

test.each([
  ["a number that no cell has", (key: string) => key.replace("c2_", "c0_")],
  ["a zero in front", (key: string) => key.replace("c2_", "c02_")],
  ["the first cell by its number", (key: string) => key.replace("c2_", "c1_")],
  ["no cell where it had one", (key: string) => key.replace("c2_", "")],
])("a key with %s is mistyped", (_what, change) => {
  const own = { environment: "live" as const, cell: 2 };
  const wrong = change(newKey(own));
  expect(readCell(wrong, "live")).toBeUndefined();
  expect(toKeyFault(wrong, own)).toContain("mistyped or incomplete");
});

test("what is no key at all is told how this cell's keys begin", () => {
  const own = { environment: "sandbox" as const, cell: 2 };
  expect(toKeyFault("sk_test_abc", own)).toContain("begin with fd_test_c2_.");
  expect(toKeyFault("fd_live_abc", own)).toContain("begin with fd_test_c2_.");
});
