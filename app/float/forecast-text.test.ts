import { expect, test } from "vitest";
import { toForecastText, toLowText } from "./forecast-text.ts";

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

const low = (available: number, earliest: number) =>
  toLowText({
    float: { available, lowBalanceThreshold: 100 } as never,
    lowForecast: { earliest, latest: 30 },
    days: [DAY],
  });

test("a float that may be low within a week says when; one that is low already says so elsewhere", () => {
  expect(low(500, 7)).toBe("The float may fall below its threshold on Dec 5");
  expect(low(500, 8)).toBeNull();
  expect(low(99, 1)).toBeNull();
});
