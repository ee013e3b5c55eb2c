import { createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { CERTIFICATE } from "#test/outside/certificate.ts";
import { answer, flood, garble, reset, startReceiver } from "#test/outside/receiver.ts";
import type { Behavior, Receiver } from "#test/outside/receiver.ts";
import { startNameServer } from "#test/outside/name-server.ts";
import { startUnacceptingListener } from "#test/outside/unaccepting-listener.ts";
import { refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { send } from "#lib/webhooks/internal/send.ts";
import { withTimeLimits } from "#db/time-limits.ts";

const HERE: EndpointPolicy = { environment: "sandbox", loopback: true };
const NEVER = new AbortController().signal;
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) {
    await cleanUp();
  }
});

async function receiverOf(behavior: Behavior, host?: string): Promise<Receiver> {
  const receiver = await startReceiver(behavior, host === undefined ? {} : { host });
  cleanUps.push(receiver.stop);
  return receiver;
}

function sendBytes(headers: Record<string, string>, body: Buffer): Behavior {
  return (response) => void response.writeHead(200, headers).end(body);
}

const post = (url: string, policy = HERE) =>
  send({ url, headers: { "webhook-id": "1" }, body: '{"text":"Café"}' }, policy, NEVER);

describe("a try", () => {
  test("sends the body byte for byte with its headers, and stores the beginning of the answer", async () => {
    const receiver = await receiverOf(answer(201, { "x-own": "1" }, `${"é".repeat(3_000)}\0`));
    const outcome = await post(`${receiver.url}?a=1&b=%20`);
    expect(outcome).toMatchObject({
      failure: null,
      status: 201,
      address: "127.0.0.1",
      responseHeaders: { "x-own": "1" },
      responseBody: "é".repeat(2_048),
    });
    expect(receiver.received).toMatchObject([
      {
        body: '{"text":"Café"}',
        path: "/hook?a=1&b=%20",
        headers: {
          "webhook-id": "1",
          "content-length": "16",
          host: new URL(receiver.url).host,
          connection: "keep-alive",
        },
      },
    ]);
  });

  test.each([
    [500, "server_failed"],
    [503, "server_failed"],
    [400, "rejected"],
    [404, "rejected"],
    [410, "gone"],
    [429, "rate_limited"],
    [304, "redirected"],
  ])("answered with %i is %s", async (status, failure) => {
    const receiver = await receiverOf(answer(status));
    expect(await post(receiver.url)).toMatchObject({ failure, status });
  });

  test("never follows a redirect", async () => {
    const elsewhere = await receiverOf(answer(200));
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await receiverOf(answer(status, { location: elsewhere.url }));
      expect(await post(receiver.url)).toMatchObject({ failure: "redirected", status });
    }
    expect(elsewhere.connections()).toBe(0);
  });

  test("reports Retry-After in both its forms", async () => {
    const receiver = await receiverOf(answer(429, { "retry-after": "120" }));
    expect(await post(receiver.url)).toMatchObject({ retryAfterS: 120 });
    const at = new Date(Date.now() + 90_000).toUTCString();
    receiver.behave(answer(503, { "retry-after": at }));
    const { retryAfterS } = await post(receiver.url);
    expect(retryAfterS).toBeGreaterThanOrEqual(88);
    expect(retryAfterS).toBeLessThanOrEqual(91);
    receiver.behave(answer(503, { "retry-after": "soon" }));
    expect(await post(receiver.url)).toMatchObject({ retryAfterS: null });
  });

  test("whose connection is cut, or answered with something other than HTTP, reports that", async () => {
    const receiver = await receiverOf(reset);
    expect(await post(receiver.url)).toMatchObject({ failure: "connection_lost", status: null });
    receiver.behave(garble);
    expect(await post(receiver.url)).toMatchObject({ failure: "response_malformed" });
    receiver.behave((response) => {
      response.writeHead(200, { "content-length": "100" }).write("half", () => {
        response.socket?.destroy();
      });
    });
    expect(await post(receiver.url)).toMatchObject({
      failure: "connection_lost",
      status: 200,
      responseBody: "half",
    });
  });

  test("stops reading an endless answer after 64 KiB; the status counts", async () => {
    let sent = 0;
    const receiver = await receiverOf(
      flood(1_000_000_000, (count) => {
        sent = count;
      }),
    );
    expect(await post(receiver.url)).toMatchObject({
      failure: null,
      status: 200,
      responseBody: "x".repeat(4_096),
    });
    expect(sent).toBeLessThan(20_000_000);
  });

  test("to a closed port, a port without TLS, or a server with an untrusted certificate fails", async () => {
    const closed = await receiverOf(answer(200));
    await closed.stop();
    expect(await post(closed.url)).toMatchObject({
      failure: "connect_failed",
      address: "127.0.0.1",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
    const plain = await receiverOf(answer(200));
    expect(await post(plain.url.replace("http:", "https:"))).toMatchObject({
      failure: "tls_failed",
      address: "127.0.0.1",
    });
    const silent = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    cleanUps.push(() => silent.close());
    const address = silent.address();
    const port = address && typeof address === "object" ? address.port : 0;
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ failure: "connection_lost" });
  });

  test.each([
    ["gzip", gzipSync("Übergröße"), "Übergröße"],
    ["x-gzip", gzipSync("x".repeat(4_000_000)), "x".repeat(4_096)],
    ["deflate", deflateSync("é".repeat(3_000)), "é".repeat(2_048)],
    ["gzip", gzipSync(""), ""],
    ["gzip", Buffer.from("not compressed"), "binary"],
    ["br", brotliCompressSync("text"), "binary"],
    ["identity", Buffer.from("text"), "text"],
  ])("stores an answer encoded as %s readable, or as binary", async (encoding, body, stored) => {
    const receiver = await receiverOf(sendBytes({ "content-encoding": encoding }, body));
    expect(await post(receiver.url)).toMatchObject({ failure: null, responseBody: stored });
  });

  test("stores an answer that is not text as binary, and one in another character set readable", async () => {
    const receiver = await receiverOf(sendBytes({}, Buffer.from([0x89, 0x50, 0x4e, 0x47])));
    expect(await post(receiver.url)).toMatchObject({ failure: null, responseBody: "binary" });
    receiver.behave(
      sendBytes({ "content-type": 'text/plain; charset="latin1"' }, Buffer.from("Grüße", "latin1")),
    );
    expect(await post(receiver.url)).toMatchObject({ failure: null, responseBody: "Grüße" });
    receiver.behave(sendBytes({ "content-type": "text/plain; charset=none" }, Buffer.from("x")));
    expect(await post(receiver.url)).toMatchObject({ failure: null, responseBody: "binary" });
  });

  test("over https reaches only a name or an address that the certificate covers", async () => {
    const receiver = await startReceiver(answer(200), { secure: true });
    cleanUps.push(receiver.stop);
    const names = await startNameServer(() => ["127.0.0.1"]);
    cleanUps.push(names.stop);
    const trusting = { ...HERE, certificates: CERTIFICATE, nameServers: [names.address] };
    const named = (host: string) => receiver.url.replace("127.0.0.1", host);
    for (const host of ["127.0.0.1", "hooks.example.com", "localhost"]) {
      expect(await post(named(host), trusting)).toMatchObject({ failure: null, status: 200 });
    }
    expect(receiver.received[1]?.headers.host).toMatch(/^hooks\.example\.com:/u);
    expect(await post(named("other.example.com"), trusting)).toMatchObject({
      failure: "tls_failed",
      detail: expect.stringContaining("other.example.com"),
    });
    expect(await post(receiver.url)).toMatchObject({ failure: "tls_failed", status: null });
    expect(receiver.received).toHaveLength(3);
  });

  test("ends when the worker stops", async () => {
    const receiver = await receiverOf(() => undefined);
    const stop = new AbortController();
    const trying = send({ url: receiver.url, headers: {}, body: "{}" }, HERE, stop.signal);
    await receiver.waitFor(1);
    stop.abort(new Error("The worker is stopping."));
    expect(await trying).toMatchObject({ failure: "connection_lost" });
  });
});

describe("where a notification may go", () => {
  test("is judged at each attempt with all addresses of a name, and only one is then connected to", async () => {
    const sentinel = await receiverOf(answer(200));
    const { port } = new URL(sentinel.url);
    const answers = [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["10.0.0.1", "1.1.1.1"], []];
    const names = await startNameServer(() => answers.shift() ?? ["127.0.0.1"]);
    cleanUps.push(names.stop);
    const away = { environment: "sandbox", loopback: false, nameServers: [names.address] } as const;
    const url = `http://hooks.example.com:${port}/`;
    expect(await post(url, away)).toMatchObject({ failure: "address_refused" });
    expect(await post(url, away)).toMatchObject({ failure: "address_refused" });
    expect(await post(url, away)).toMatchObject({ failure: "address_refused" });
    expect(await post(url, away)).toMatchObject({ failure: "dns_failed" });
    expect(sentinel.connections()).toBe(0);
    expect(await post(url, { ...away, loopback: true })).toMatchObject({ failure: null });
    expect(sentinel.received[0]?.headers.host).toBe(`hooks.example.com:${port}`);
    expect(names.asked).toEqual(Array.from({ length: 5 }, () => "hooks.example.com"));
  });

  test("goes to the first address that accepts; when none does, the attempt names the last and says why", async () => {
    const receiver = await receiverOf(answer(200));
    const hung = await startUnacceptingListener("127.0.0.9", Number(new URL(receiver.url).port));
    cleanUps.push(hung.stop);
    const { port } = new URL(receiver.url);
    const answers = [
      ["127.0.0.8", "127.0.0.7", "127.0.0.1"],
      ["127.0.0.9", "127.0.0.1"],
      ["127.0.0.8", "127.0.0.7"],
    ];
    const names = await startNameServer(() => answers.shift());
    cleanUps.push(names.stop);
    const url = `http://hooks.example.com:${port}/`;
    const named = { ...HERE, nameServers: [names.address] };
    const arrived = { failure: null, address: "127.0.0.1" };
    // Each to another URL, because connections wait for the next notification to theirs.
    expect(await post(`${url}first`, named)).toMatchObject(arrived);
    const soon = await withTimeLimits({ webhookAddress: 100 }, () => post(`${url}second`, named));
    expect(soon).toMatchObject(arrived);
    expect(await post(`${url}third`, named)).toMatchObject({
      failure: "connect_failed",
      address: "127.0.0.7",
      detail: expect.stringMatching(/ECONNREFUSED 127\.0\.0\.8.*; .*ECONNREFUSED 127\.0\.0\.7/u),
    });
  });

  test("localhost reaches a receiver that listens on IPv6 alone", async () => {
    const receiver = await receiverOf(answer(200), "::1");
    const url = receiver.url.replace("[::1]", "localhost");
    expect(await post(url)).toMatchObject({ failure: null, address: "::1" });
    expect(await post(receiver.url)).toMatchObject({ failure: null, address: "::1" });
  });

  test("localhost is this machine, whatever name servers answer", async () => {
    const receiver = await receiverOf(answer(200));
    const url = receiver.url.replace("127.0.0.1", "localhost");
    expect(await post(url)).toMatchObject({ failure: null, address: "127.0.0.1" });
    expect(await post(url, { ...HERE, loopback: false })).toMatchObject({
      failure: "address_refused",
    });
  });

  test("outside sandbox is https only, and never loopback", async () => {
    const receiver = await receiverOf(answer(200));
    const live = { environment: "live", loopback: false } as const;
    expect(await post(receiver.url, live)).toMatchObject({ failure: "address_refused" });
    expect(await post(receiver.url.replace("http:", "https:"), live)).toMatchObject({
      failure: "address_refused",
    });
    expect(receiver.connections()).toBe(0);
  });

  test("is judged when it is saved, where a name that does not resolve yet passes", async () => {
    const names = await startNameServer((name) =>
      name === "inside.example.com" ? ["10.0.0.1"] : [],
    );
    cleanUps.push(names.stop);
    const away = { environment: "sandbox", loopback: false, nameServers: [names.address] } as const;
    expect(await refuseEndpointUrl("https://inside.example.com/", away)).toMatchObject({
      code: "validation_failed",
      errors: { webhook_url: [expect.stringContaining("not public")] },
    });
    expect(await refuseEndpointUrl("https://nowhere.example.com/", away)).toBeNull();
    expect(await refuseEndpointUrl("https://1.1.1.1/", away)).toBeNull();
    expect(await refuseEndpointUrl(null, away)).toBeNull();
    expect(await refuseEndpointUrl("http://127.0.0.1:41099/", HERE)).toBeNull();
  });
});
