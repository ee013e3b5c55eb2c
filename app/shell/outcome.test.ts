import { expect, test } from "vitest";
import { findOutcome } from "./outcome.ts";

const UNSEEN = { key: "k", operation: null, status: null, body: null, request_id: null };

function toTitle(
  found: { state: NonNullable<Parameters<typeof findOutcome>[0]>["state"]; status?: number },
  ageMs: number,
): string | undefined {
  return findOutcome({ ...UNSEEN, completed_at: null, status: null, ...found }, ageMs)?.title;
}

test("no outcome is shown while a request may still be on its way or is being performed", () => {
  expect(findOutcome(undefined, 60_000)).toBeUndefined();
  expect(toTitle({ state: "unknown" }, 29_000)).toBeUndefined();
  expect(toTitle({ state: "in_progress" }, 60_000)).toBeUndefined();
});

test("a change that was made, refused, waits for approval, or never arrived is told apart", () => {
  expect(toTitle({ state: "waiting_for_approval", status: 202 }, 0)).toBe(
    "Your last change waits for approval",
  );
  expect(toTitle({ state: "completed", status: 200 }, 0)).toBe("Your last change went through");
  expect(toTitle({ state: "expired" }, 0)).toBe("Your last change went through");
  expect(toTitle({ state: "unknown" }, 31_000)).toBe("Your last change was not made");
  const refused = findOutcome(
    {
      ...UNSEEN,
      completed_at: null,
      state: "completed",
      status: 422,
      body: { detail: "The float has $1.00." },
    },
    0,
  );
  expect(refused).toMatchObject({
    title: "Your last change was refused",
    detail: "Nothing changed. The float has $1.00.",
  });
});
