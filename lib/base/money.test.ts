import { expect, test } from "vitest";
import { formatMoney } from "#lib/base/money.ts";

test.each([
  [20_000, "USD", "$200.00"],
  [20_000n, "USD", "$200.00"],
  [0n, "USD", "$0.00"],
  [5n, "USD", "$0.05"],
  [-1_234n, "USD", "-$12.34"],
  [1_234n, "JPY", "¥1,234"],
  [1_234_567n, "KWD", "KWD 1,234.567"],
  // One minor unit above the largest exact number.
  [9_007_199_254_740_993n, "USD", "$90,071,992,547,409.93"],
])("%s of %s is %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency).replace("\u00A0", " ")).toBe(text);
});
