import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readDraft, toDraft, withLimit } from "./controls-draft.ts";
import { anyControls } from "#test/limits/limits-steps.ts";
import { hasControls } from "#lib/cards/spending-controls.ts";

test("controls that are edited without a change are the same controls, in every currency", () => {
  fc.assert(
    fc.property(
      anyControls.filter(hasControls),
      fc.constantFrom("USD", "JPY", "BHD"),
      (controls, currency) => {
        expect(readDraft(toDraft(controls, currency), currency)).toEqual({
          controls,
          problem: null,
        });
      },
    ),
  );
});

test("a draft says what it still needs", () => {
  const empty = toDraft(null, "USD");
  const problemOf = (draft: object) => readDraft({ ...empty, ...draft }, "USD").problem;
  expect(problemOf({})).toBe("Add a limit, or choose categories or countries.");
  expect(problemOf({ limits: withLimit([]) })).toBe("Enter an amount for each limit.");
  expect(problemOf({ categories: { rule: "blocked", codes: [] } })).toBe(
    "Choose the blocked categories.",
  );
  expect(problemOf({ countries: { rule: "allowed", codes: [] } })).toBe(
    "Choose the allowed countries.",
  );
});

test("each added limit has a key of its own", () => {
  const two = withLimit(withLimit([]));
  expect(withLimit(two.slice(1)).map(({ key }) => key)).toEqual([1, 2]);
});
