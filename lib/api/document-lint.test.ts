import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";

/**
 * Paths of which a named one matches an unnamed one as well, such as `/cards/transaction/close`. The router prefers
 * named folders, and ids are UUIDs, so that no request is ambiguous. Existing clients call the first four.
 */
const AMBIGUOUS = [
  "/card-integrators/{id}/register-user",
  "/cards/transaction/{id}",
  "/cards/{id}/mock-transaction",
  "/cards/{id}/transactions",
  "/staff/{id}/password-reset",
  "/staff/{id}/revoke-sessions",
];

test("the served document passes the recommended rules of Redocly, but for paths that are ambiguous in theory", async () => {
  const { text } = await call("GET /openapi.json");
  const problems = await lintFromString({
    source: text,
    absoluteRef: "/openapi.json",
    config: await createConfig({ extends: ["recommended"] }),
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
