import { expect, test } from "vitest";
import { replaceForeignTargets, toOwnPath } from "#lib/auth/own-path.ts";
import { env } from "#lib/base/env.ts";

const OWN = env().publicUrl;

test.each([
  ["/cards", "/cards"],
  ["/transactions?type=debit&page=2", "/transactions?type=debit&page=2"],
  ["/x/../cards", "/cards"],
  [`${OWN}/cards`, "/cards"],
  ["/", "/overview"],
  [OWN, "/overview"],
  [undefined, "/overview"],
  ["", "/overview"],
  ["cards", "/overview"],
  [["/cards", "/float"], "/overview"],
  ["/.//evil.example", "/overview"],
  ["/..//evil.example", "/overview"],
  ["/%2e//evil.example", "/overview"],
  ["//evil.example", "/overview"],
  ["///evil.example", "/overview"],
  ["/\\evil.example", "/overview"],
  ["\\\\evil.example", "/overview"],
  ["/\t/evil.example", "/overview"],
  ["https://evil.example/cards", "/overview"],
  [`${OWN}//evil.example`, "/overview"],
  [`${OWN}.evil.example/cards`, "/overview"],
  [`${OWN}@evil.example/cards`, "/overview"],
  ["javascript:alert(1)", "/overview"],
])("%j leads to %s", (given, path) => {
  expect(toOwnPath(given)).toBe(path);
});

test("next-auth gets no target that is not on this server", () => {
  const foreign = ["\\\\evil.example", "evil.example", "https://evil.example", "//evil.example"];
  const own = ["/cards", OWN, `${OWN}/cards`];
  for (const value of [...foreign, ...own]) {
    const query = new URLSearchParams({ callbackUrl: value });
    const deleted: string[] = [];
    replaceForeignTargets(query, {
      getAll: () => [{ name: "__Host-next-auth.callback-url", value }],
      delete: (name) => deleted.push(name),
    });
    expect(query.get("callbackUrl")).toBe(toOwnPath(value));
    expect(deleted).toHaveLength(own.includes(value) ? 0 : 1);
  }
});
