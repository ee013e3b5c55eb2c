import { assert, constantFrom, property, record } from "fast-check";
import { expect, test } from "vitest";
import { keepsHeaders } from "#lib/base/webhook-headers.ts";

const place = record({
  protocol: constantFrom("http:", "https:"),
  hostname: constantFrom("a.example", "b.example", "A.EXAMPLE", "a.example.", "127.0.0.1"),
  port: constantFrom("", ":80", ":443", ":8443"),
  path: constantFrom("/", "/in", "/in?a=1"),
});

test("headers stay at the same origin, and from http to https at the same host and port", () => {
  assert(
    property(place, place, (a, b) => {
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
