import { expect, test } from "vitest";
import { newIntegrator } from "#db/testing/fixtures.ts";
import { isApiKey } from "#lib/api-keys.ts";

test("a key tells its environment, and one wrong character is noticed without asking the database", async () => {
  const { apiKey } = await newIntegrator();
  expect(apiKey).toMatch(/^fd_test_[0-9A-Za-z]{36}$/u);
  expect(isApiKey(apiKey, "sandbox")).toBe(true);
  expect(isApiKey(apiKey, "live")).toBe(false);
  const wrong = apiKey.slice(0, 12) + (apiKey[12] === "a" ? "b" : "a") + apiKey.slice(13);
  expect(isApiKey(wrong, "sandbox")).toBe(false);
});
