import { afterAll, beforeAll, expect, test } from "vitest";
import { refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { send } from "#lib/webhooks/internal/send.ts";
import { startNameServer } from "#test/outside/name-server.ts";
import type { NameServer } from "#test/outside/name-server.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";

/** Listens on both address families where no notification may ever arrive. */
let sentinels: Receiver[];
let names: NameServer;
let port: string;
let policy: EndpointPolicy;

/** The attacker's name server: it returns a public address for the first query of a name, and loopback from then on. */
const seen = new Set<string>();
const RECORDS: Record<string, string[]> = {
  "inside.example.com": ["127.0.0.1"],
  "mixed.example.com": ["1.1.1.1", "127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "private.example.com": ["10.0.0.1"],
};

beforeAll(async () => {
  const v4 = await startReceiver();
  port = new URL(v4.url).port;
  const v6 = await startReceiver(undefined, { host: "::1", port: Number(port) }).catch(
    () => undefined,
  );
  sentinels = v6 ? [v4, v6] : [v4];
  names = await startNameServer((name) => {
    const fixed = RECORDS[name];
    if (fixed || !name.endsWith(".rebind.example.com")) {
      return fixed ?? [];
    }
    const isFirst = !seen.has(name);
    seen.add(name);
    return [isFirst ? "1.1.1.1" : "127.0.0.1"];
  });
  policy = { environment: "sandbox", loopback: false, nameServers: [names.address] };
});

afterAll(async () => {
  names.stop();
  await Promise.all(sentinels.map((each) => each.stop()));
});

const NEVER = new AbortController().signal;

function post(host: string, own = policy) {
  const url = `http://${host}:${port}/`;
  return send({ url, headers: {}, body: "{}" }, own, NEVER);
}

const connections = () => sentinels.reduce((sum, each) => sum + each.connections(), 0);

/** Ways to write, or lead to, an address inside. */
const SPELLINGS = [
  "127.0.0.1",
  "127.0.0.2",
  "127.1",
  "127.0.1",
  "0",
  "0.0.0.0",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0177.0.0.01",
  "0x7f000001",
  "0x7f.0.0.1",
  "0x7F.1",
  "0x7f.0x0.0x0.0x1",
  "127.0.0.1.",
  "127.1.",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "x.localhost",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::]",
  "１２７.０.０.１",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "%31%32%37.0.0.1",
  "%6cocalhost",
  "inside.example.com",
  "mixed.example.com",
  "INSIDE.example.com.",
] as const;

test.each(SPELLINGS)("no connection is made to http://%s", async (host) => {
  expect(await refuseEndpointUrl(`http://${host}:${port}/`, policy)).toMatchObject({
    code: "validation_failed",
  });
  expect(await post(host)).toMatchObject({
    failure: "address_refused",
    address: null,
    status: null,
  });
  expect(connections()).toBe(0);
});

test.each([
  "169.254.169.254",
  "[::ffff:169.254.169.254]",
  "metadata.example.com",
  "0xa9fea9fe",
  "10.0.0.1",
  "private.example.com",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "[fe80::1]",
  "[fc00::1]",
])("%s is refused before anything is connected to", async (host) => {
  expect(await refuseEndpointUrl(`http://${host}/`, policy)).not.toBeNull();
  expect(await post(host)).toMatchObject({ failure: "address_refused", address: null });
});

test("a name that was public when it was saved and leads inside at the try is refused then", async () => {
  const host = "a.rebind.example.com";
  expect(await refuseEndpointUrl(`http://${host}:${port}/`, policy)).toBeNull();
  expect(await post(host)).toMatchObject({ failure: "address_refused" });
  expect(connections()).toBe(0);
});

test("a name is asked once a try, and what it answered then is what is connected to", async () => {
  const host = "b.rebind.example.com";
  seen.add(host);
  const before = names.asked.length;
  expect(await post(host, { ...policy, loopback: true })).toMatchObject({ failure: null });
  expect(names.asked.slice(before)).toEqual([host]);
  // Prove that the sentinel works: it does receive an allowed request.
  expect(connections()).toBe(1);
});
