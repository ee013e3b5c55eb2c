import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { readCodes, readTable } from "#test/scene/guide-tables.ts";

/** The paths that the guide explains. A literal one also matches a template. */
const AMBIGUOUS = readTable("differences.md", "Paths that tools call ambiguous").flatMap(
  ([path = ""]) => readCodes(path),
);

test("the served document passes the recommended rules of Redocly, but for paths that are ambiguous in theory", async () => {
  const { text } = await call("GET /openapi.json");
  const problems = await lintFromString({
    source: text,
    absoluteRef: "/openapi.json",
    config: await createConfig({
      extends: ["recommended"],
      // Spectral's recommended rules want it as well.
      rules: { "info-contact": "error" },
    }),
  });
  const others = problems.filter((each) => !isAmbiguity(each));
  expect(others.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const places = problems.filter(isAmbiguity).map(({ location: [place] }) => place?.pointer);
  expect(new Set(places)).toEqual(new Set(AMBIGUOUS.map(toPointer)));
});

function isAmbiguity({ ruleId }: { ruleId: string }): boolean {
  return ruleId === "no-ambiguous-paths";
}

function toPointer(path: string): string {
  return `#/paths/${path.replaceAll("/", "~1")}`;
}
