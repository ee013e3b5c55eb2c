import { expect, test } from "vitest";
import { toCategory } from "./merchant-category.ts";
import { SAMPLE_PURCHASES } from "./sample-purchases.ts";

test("a category is named with its code, and an unknown code stands for itself", () => {
  expect(toCategory("5814")).toBe("Fast Food Restaurants (5814)");
  expect(toCategory("0742")).toBe("Veterinary Services (0742)");
  expect(toCategory("9998")).toBe("9998");
});

test("the category of each sample purchase has a name", () => {
  for (const { merchant } of SAMPLE_PURCHASES) {
    expect(toCategory(merchant.mcc ?? "")).toMatch(/^[A-Z].+ \([0-9]{4}\)$/u);
  }
});
