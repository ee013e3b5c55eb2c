import fc from "fast-check";
import { expect, test } from "vitest";
import { keepsHeaders } from "#lib/base/webhook-headers.ts";

const place = fc.record({
  protocol: fc.constantFrom("http:", "https:"),
  hostname: fc.constantFrom("a.example", "b.example", "A.EXAMPLE", "a.example.", "127.0.0.1"),
  port: fc.constantFrom("", ":80", ":443", ":8443"),
  path: fc.constantFrom("/", "/in", "/in?a=1"),
});

test("headers stay at the same origin, and from http to https at the same host and port", () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [before, after] = [a, b].map(
        ({ protocol, hostname, port, path }) => `${protocol}//${hostname}${port}${path}`,
      );
      const [from, to] = [new URL(before ?? ""), new URL(after ?? "")];
      const isUpgrade = `https://${from.host}` === to.origin;
      expect(keepsHeaders(from.href, to.href)).toBe(from.origin === to.origin || isUpgrade);
    }),
    { numRuns: 1_000 },
  );
});
