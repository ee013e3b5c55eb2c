import { expect, test } from "vitest";
import { toForecastText, toTopUpText } from "./forecast-text.ts";

const DAY = {
  day: "2026-11-28",
  inflow: 0,
  outflow: 0,
  inflowFromCards: 0,
  spent: 0,
  refunded: 0,
  closing: 0,
};

test.each([
  [null, null],
  [{ earliest: 10, latest: 13 }, "Lasts until about Dec 8 without a top-up"],
  [{ earliest: 10, latest: 14 }, "Runs out between Dec 8 and Dec 12 without a top-up"],
  [{ earliest: 10, latest: null }, "Lasts until Dec 8 or longer without a top-up"],
  [{ earliest: 10, latest: 390 }, "Lasts until Dec 8 or longer without a top-up"],
  [{ earliest: 999, latest: 999 }, "Lasts for more than a year without a top-up"],
])("%o: %s", (forecast, text) => {
  expect(toForecastText(forecast, [DAY])).toBe(text);
});

test("a proposed top-up says what it is for", () => {
  const topUp = { amount: 520_000, until: "2026-12-28" };
  const text = (lowBalanceThreshold: number | null) =>
    toTopUpText(topUp, { currency: "USD", lowBalanceThreshold } as never);
  expect(text(null)).toBe("Top up $5,200.00 to last until Dec 28");
  expect(text(100)).toBe("Top up $5,200.00 to stay above the threshold until Dec 28");
});
