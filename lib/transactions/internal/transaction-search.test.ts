import { expect, test } from "vitest";
import { toSearchedAmounts } from "#lib/transactions/internal/transaction-search.ts";

test.each([
  ["1,23,456.00", [12_345_600]],
  ["12,34,567", [1_234_567, 123_456_700]],
  ["1,23,45", []],
  ["1.234.567,8", [123_456_780]],
  ["$-7.41", []],
  ["--7.41", []],
  ["coffee", []],
  ["9999999999999.99", [999_999_999_999_999]],
])("%s", (word, amounts) => {
  expect(toSearchedAmounts(word)).toEqual(amounts);
});
