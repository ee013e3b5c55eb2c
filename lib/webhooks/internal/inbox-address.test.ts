import { afterAll, beforeAll, expect, test } from "vitest";
import { startNameServer } from "#test/outside/name-server.ts";
import type { NameServer } from "#test/outside/name-server.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { hashToken, newToken } from "#lib/base/one-time-token.ts";
import { refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { toInboxToken, toInboxUrl, toPolicyFor } from "#lib/webhooks/internal/inbox-address.ts";
import { send } from "#lib/webhooks/internal/send.ts";

/** This server, and another on this machine. Both are on loopback, where webhooks may not go. */
let server: Receiver;
let other: Receiver;
let names: NameServer;
let policy: EndpointPolicy & { publicUrl: string };

const TOKEN = newToken();
const NEVER = new AbortController().signal;

beforeAll(async () => {
  server = await startReceiver();
  other = await startReceiver();
  // Attackers' names for this server, one of which leads to a public address first.
  const asked = new Set<string>();
  names = await startNameServer((name) => {
    const isFirst = !asked.has(name);
    asked.add(name);
    return [name.startsWith("rebind.") && isFirst ? "1.1.1.1" : "127.0.0.1"];
  });
  policy = {
    environment: "sandbox",
    loopback: false,
    publicUrl: new URL(server.url).origin,
    nameServers: [names.address],
  };
});

afterAll(async () => {
  names.stop();
  await Promise.all([server.stop(), other.stop()]);
});

function post(url: string, own = policy, hash: string | null = hashToken(TOKEN)) {
  const outgoing = { url, headers: {}, body: "{}" };
  return send(outgoing, toPolicyFor(url, hash, own), NEVER);
}

const portOf = (url: string) => new URL(url).port;

test("an inbox on this server is reached although its address is not public", async () => {
  const url = toInboxUrl(policy.publicUrl, TOKEN);
  expect(toInboxToken(policy.publicUrl, url)).toBe(TOKEN);
  const before = server.connections();
  expect(await refuseEndpointUrl(url, toPolicyFor(url, hashToken(TOKEN), policy))).toBeNull();
  expect(await post(url)).toMatchObject({ failure: null, status: 200, address: "127.0.0.1" });
  expect(server.connections()).toBe(before + 1);
});

/** URLs that lead to this machine and are not the inbox's, each from the port of this server and of another one. */
const ATTACKS: [string, (at: { own: string; foreign: string }) => string][] = [
  ["another port", ({ foreign }) => `http://127.0.0.1:${foreign}/inbox/${TOKEN}`],
  ["the default port", () => `http://127.0.0.1/inbox/${TOKEN}`],
  ["another path", ({ own }) => `http://127.0.0.1:${own}/api/health/ready`],
  ["the folder", ({ own }) => `http://127.0.0.1:${own}/inbox/`],
  [
    "a path behind the inbox",
    ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN}/../../api/cards`,
  ],
  ["a path before the inbox", ({ own }) => `http://127.0.0.1:${own}/x/../inbox/${TOKEN}`],
  ["an escaped path", ({ own }) => `http://127.0.0.1:${own}/%69nbox/${TOKEN}`],
  ["a slash at the end", ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN}/`],
  ["a query", ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN}?a=1`],
  ["a fragment", ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN}#a`],
  ["a person", ({ own }) => `http://a:b@127.0.0.1:${own}/inbox/${TOKEN}`],
  [
    "the server as a person",
    ({ own, foreign }) => `http://127.0.0.1:${own}@127.0.0.1:${foreign}/inbox/${TOKEN}`,
  ],
  ["a backslash", ({ own }) => `http://127.0.0.1:${own}\\inbox\\${TOKEN}`],
  ["another case of the scheme", ({ own }) => `HTTP://127.0.0.1:${own}/inbox/${TOKEN}`],
  ["another case of the path", ({ own }) => `http://127.0.0.1:${own}/Inbox/${TOKEN}`],
  [
    "another case of the token",
    ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN.toUpperCase()}`,
  ],
  ["another token", ({ own }) => `http://127.0.0.1:${own}/inbox/${newToken()}`],
  ["a part of the token", ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN.slice(0, -1)}`],
  ["a line break", ({ own }) => `http://127.0.0.1:${own}/inbox/${TOKEN}\n`],
  ["another scheme", ({ own }) => `https://127.0.0.1:${own}/inbox/${TOKEN}`],
  ["another spelling of the host", ({ own }) => `http://127.1:${own}/inbox/${TOKEN}`],
  ["another name of the host", ({ own }) => `http://localhost:${own}/inbox/${TOKEN}`],
  ["a longer port", ({ own }) => `http://127.0.0.1:${own}0/inbox/${TOKEN}`],
  [
    "a host that begins like this one",
    ({ own }) => `http://127.0.0.1.evil.example:${own}/inbox/${TOKEN}`,
  ],
  ["an attacker's name for this server", ({ own }) => `http://evil.example:${own}/inbox/${TOKEN}`],
];

test.each(ATTACKS)("%s is not the inbox, and no connection is made", async (_name, toUrl) => {
  const url = toUrl({ own: portOf(server.url), foreign: portOf(other.url) });
  const before = [server.connections(), other.connections()];
  expect(toPolicyFor(url, hashToken(TOKEN), policy)).toBe(policy);
  expect(await refuseEndpointUrl(url, policy)).toMatchObject({ code: "validation_failed" });
  expect(await post(url)).toMatchObject({ failure: "address_refused", address: null });
  expect([server.connections(), other.connections()]).toEqual(before);
});

test("a name that was public when it was saved does not lead here at the attempt", async () => {
  const url = `http://rebind.evil.example:${portOf(server.url)}/inbox/${TOKEN}`;
  const before = server.connections();
  expect(await refuseEndpointUrl(url, toPolicyFor(url, hashToken(TOKEN), policy))).toBeNull();
  expect(await post(url)).toMatchObject({ failure: "address_refused", address: null });
  expect(server.connections()).toBe(before);
});

test("a redirect of the inbox leads nowhere", async () => {
  const before = other.connections();
  server.behave(answer(307, { location: other.url }));
  const url = toInboxUrl(policy.publicUrl, TOKEN);
  expect(await post(url)).toMatchObject({ failure: "redirected", status: 307 });
  server.behave(answer(200));
  expect(other.connections()).toBe(before);
});

test("an integrator without an inbox, and one with another, cannot send to this one", async () => {
  const url = toInboxUrl(policy.publicUrl, TOKEN);
  const before = server.connections();
  for (const hash of [null, hashToken(newToken()), TOKEN, ""]) {
    expect(await post(url, policy, hash)).toMatchObject({ failure: "address_refused" });
  }
  expect(server.connections()).toBe(before);
});

test("a live installation makes no exception, nor does one without a public URL", async () => {
  const url = toInboxUrl(policy.publicUrl, TOKEN);
  const { publicUrl: _none, ...unknown } = policy;
  for (const own of [{ ...policy, environment: "live" as const }, unknown]) {
    expect(toPolicyFor(url, hashToken(TOKEN), own)).toBe(own);
  }
});
