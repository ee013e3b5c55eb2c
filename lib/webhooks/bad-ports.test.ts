import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { BAD_PORTS } from "#lib/webhooks/bad-ports.ts";

test("the list of bad ports is undici's, and the port 0, which it has not taken over yet", () => {
  const { badPorts }: { badPorts: readonly string[] } = createRequire(import.meta.url)(
    "undici/lib/web/fetch/constants.js",
  );
  expect(BAD_PORTS).toEqual(new Set(["0", ...badPorts]));
});
