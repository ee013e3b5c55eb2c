import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { PageResponse } from "./page-response.ts";
import { readPageWait, servePage } from "#lib/base/page-request.ts";

let server: Server<typeof IncomingMessage, typeof PageResponse>;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves what the function writes. */
async function serve(write: (response: PageResponse) => void): Promise<string> {
  server = createServer({ ServerResponse: PageResponse }, (_request, response) => write(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return toUrl();
}

function toUrl(): string {
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
}

test("an answer that is held is sent whole, with the head and the parts that were written", async () => {
  const url = await serve((response) => {
    response.holdUntilComplete(() => undefined);
    response.setHeader("X-First", "1");
    response.writeHead(201, { "Content-Type": "text/plain" });
    response.flushHeaders();
    response.write("one ");
    response.write("dHdvIA==", "base64", () => response.end("three"));
  });
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("x-first")]).toEqual([201, "1"]);
  expect(answer.headers.get("content-type")).toBe("text/plain");
  expect(await answer.text()).toBe("one two three");
});

test("a page counts as made once it is complete, though its client reads nothing, or once its client has gone", async () => {
  const made: string[] = [];
  const large = Buffer.alloc(32_000_000);
  const answers: PageResponse[] = [];
  const url = await serve((response) => {
    const name = String(answers.push(response));
    response.holdUntilComplete(() => made.push(name));
    if (name === "1") {
      response.end(large);
    }
  });
  const { hostname, port } = new URL(url);
  const connectAndAsk = () => {
    const client = connect(Number(port), hostname);
    client.write("GET / HTTP/1.1\r\nHost: pages\r\n\r\n");
    return client.pause();
  };
  const unread = connectAndAsk();
  await expect.poll(() => made).toEqual(["1"]);
  expect(answers[0]?.writableFinished).toBe(false);
  const leaving = connectAndAsk();
  await expect.poll(() => answers.length).toBe(2);
  expect(made).toEqual(["1"]);
  leaving.destroy();
  await expect.poll(() => made).toEqual(["1", "2"]);
  unread.destroy();
});

test("an answer that is withheld halfway is 503 without any of it", async () => {
  const url = await serve((response) => {
    response.holdUntilComplete(() => undefined);
    response.setHeader("Content-Encoding", "gzip");
    response.writeHead(200, { "Content-Type": "text/html" });
    response.write("the beginning");
    response.withhold();
    response.statusCode = 500;
    response.end("the end");
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(answer.headers.get("content-type")).toBeNull();
  expect(answer.headers.get("content-length")).toBe("0");
  expect(await answer.text()).toBe("");
});

test.each([
  { rendered: 500, sent: 503 },
  { rendered: 200, sent: 200 },
])(
  "a page without its database that was rendered with $rendered is sent with $sent",
  async (one) => {
    const url = await serve((response) => {
      response.holdUntilComplete(() => undefined);
      expect([response.answerUnavailable(), response.answerUnavailable()]).toEqual([true, false]);
      response.writeHead(one.rendered, { "Content-Type": "text/html" });
      response.end("the frame");
    });
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([one.sent, "text/html"]);
    expect(await answer.text()).toBe("the frame");
  },
);

test("any other answer is sent as it is written", async () => {
  const { promise: isRead, resolve: goOn } = Promise.withResolvers<void>();
  const url = await serve((response) => {
    response.write("the beginning");
    void isRead.then(() => response.end(", the end"));
  });
  const answer = await fetch(url);
  goOn();
  expect(await answer.text()).toBe("the beginning, the end");
});

test("a page whose person has gone elsewhere is abandoned", async () => {
  const { promise: isRequested, resolve: arrive } = Promise.withResolvers<AbortSignal>();
  server = createServer({ ServerResponse: PageResponse }, (request, response) =>
    servePage({ request, response }, () => arrive(readPageWait().abandoned)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const leaving = new AbortController();
  const asked = fetch(toUrl(), { signal: leaving.signal });
  const abandoned = await isRequested;
  expect(abandoned.aborted).toBe(false);
  const noticed = once(abandoned, "abort");
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await noticed;
  expect(abandoned.reason).toMatchObject({ code: "database_unavailable" });
});
