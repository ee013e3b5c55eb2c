import { expect, test } from "vitest";
import { toAll, toHint } from "./palette-search.ts";

test("fewer than four digits say what is needed; anything else is searched for", () => {
  expect(toHint("561")).toContain("all four of a card's last digits");
  for (const search of ["", "5615", "Lin", "12.50", "5a"]) {
    expect(toHint(search)).toBe(null);
  }
});

test("what the palette does not show is a list away", () => {
  expect(toAll("/transactions", "coffee & tea", null)).toEqual({
    href: "/transactions?search=coffee+%26+tea",
    name: "See all",
    detail: "that match “coffee & tea”",
  });
  expect(toAll("/cardholders", "lin", 1_240).name).toBe("See all (1,240)");
});
