import { expect, test } from "vitest";
import { toChangelog } from "#lib/api/changelog.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";

test("every operation of a version, and every deprecated one, is listed under that version", () => {
  const sections = new Map(
    toChangelog()
      .split(/^## /mu)
      .map((section) => [section.split("\n", 1)[0], section]),
  );
  const missing = OPERATIONS.flatMap(({ method, path: at, since, deprecation }) =>
    [since, deprecation?.since]
      .flatMap((version) => version ?? [])
      .filter((version) => !sections.get(version)?.includes(`\`${method} ${at}\``)),
  );
  expect(missing).toEqual([]);
});

test("a deprecated operation's Link leads to the section of the version that deprecated it", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator);
  const reply = await call("PATCH /cards/top-up", {
    key: integrator.apiKey,
    body: { card_id: card.id, amount: 100 },
  });
  expect(reply.headers.get("link")).toContain('</docs/versions#050>; rel="deprecation"');
  expect(toChangelog()).toContain("## 0.5.0\n");
});
