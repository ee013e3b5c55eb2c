import { expect, test } from "vitest";
import { findAffected, listUntraceable } from "./test-affected.ts";

test.each([
  ["code of the server", ["lib/funds/funds.ts"], { unit: "all", browser: "all" }],
  ["a page", ["app/(dashboard)/cards/page.tsx"], { unit: "changed", browser: "all" }],
  ["a guide, which is a page too", ["docs/webhooks.md"], { unit: "changed", browser: "all" }],
  ["a package", ["package-lock.json"], { unit: "all", browser: "all" }],
  ["a test of a unit", ["lib/funds/funds.test.ts"], { unit: "changed", browser: "none" }],
  ["a browser test", ["e2e/cards.spec.ts"], { unit: "none", browser: "changed" }],
  ["what browser tests share", ["e2e/fixtures.ts"], { unit: "changed", browser: "changed" }],
  [
    "both kinds of tests",
    ["e2e/cards.spec.ts", "db/migrate.test.ts"],
    { unit: "changed", browser: "changed" },
  ],
  ["the README", ["README.md"], { unit: "changed", browser: "none" }],
  ["nothing", [], { unit: "none", browser: "none" }],
])("a change of %s runs what it can affect", (_what, changed, affected) => {
  expect(findAffected(changed)).toEqual(affected);
});

test("tests whose imports do not tell what they read always run", () => {
  const always = listUntraceable();
  for (const file of [
    "test/house/tidy.test.ts",
    "test/house/rooms.test.ts",
    "bin/testing.test.ts",
    "db/embedded.test.ts",
  ]) {
    expect(always).toContain(file);
  }
  expect(always).not.toContain("lib/base/ids.test.ts");
});
