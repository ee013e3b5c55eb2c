import { expect, test } from "vitest";
import { toWaitText } from "#lib/base/wait-text.ts";

test.each([
  [1, "1 second"],
  [60, "60 seconds"],
  [61, "2 minutes"],
  [900, "15 minutes"],
])("formats a wait of %d s as %j", (seconds, text) => {
  expect(toWaitText(seconds)).toBe(text);
});
