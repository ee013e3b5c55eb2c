import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { exchangeRaw, RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { log } from "#lib/base/log.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, { PUBLIC_URL: "https://own.example" });
});

let rig: EdgeRig;

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterEach(() => rig.reset());

afterAll(() => rig.stop());

describe("a request to change the protocol is answered in HTTP/1.1", () => {
  test.each(["/api/health/live", "/overview"])("%s", async (target) => {
    await rig.ask("GET /overview");
    const answer = await exchangeRaw(
      rig.port,
      `GET ${target} HTTP/1.1\r\nHost: own.example\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(rig.received.at(-1)?.headers).not.toHaveProperty("upgrade");
    expect(rig.received.at(-1)?.headers).not.toHaveProperty("http2-settings");
  });
});

test("TRACE never reaches the pages", async () => {
  const answer = await rig.ask("TRACE /api/auth/signin");
  expect(readProblem(answer)).toBe("405 method_not_allowed");
  expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  expect(rig.received).toEqual([]);
});

describe("a request that the parser rejects is a problem", () => {
  test("a malformed request", async () => {
    expect(readProblem(await exchangeRaw(rig.port, "NONSENSE\r\n\r\n"))).toBe(
      "400 request_malformed",
    );
  });

  test("headers beyond 16 KiB", async () => {
    const answer = await rig.ask("GET /api/cards", [`X-Long: ${"x".repeat(20_000)}`]);
    expect(readProblem(answer)).toBe("431 headers_too_large");
  });

  test("an unsupported expectation", async () => {
    expect(readProblem(await rig.ask("GET /api/cards", ["Expect: tea"]))).toBe(
      "417 expectation_failed",
    );
  });

  test("a request that does not arrive in time, after seconds rather than half a minute", async () => {
    const { headersTimeout } = rig.edge;
    rig.edge.headersTimeout = 100;
    const answer = await exchangeRaw(rig.port, "GET /api/cards HTTP/1.1\r\nHost: own.example\r\n");
    rig.edge.headersTimeout = headersTimeout;
    expect(readProblem(answer)).toBe("408 request_timeout");
  });

  test("a tunnel", async () => {
    const answer = await exchangeRaw(
      rig.port,
      "CONNECT own.example:443 HTTP/1.1\r\nHost: own.example\r\n\r\n",
    );
    expect(readProblem(answer)).toBe("400 request_malformed");
  });

  test("invalid input after a request is refused after that request's answer, not instead of it", async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    rig.answerPage = (_request, response) => {
      void finished.then(() => response.end("the first page"));
    };
    const connection = await RawConnection.open(rig.port);
    connection.send("GET /overview HTTP/1.1\r\nHost: own.example\r\n\r\n");
    await expect.poll(() => rig.received).toHaveLength(1);
    const refused = once(rig.edge, "clientError");
    connection.send("NONSENSE\r\n\r\n");
    await refused;
    finish();
    const [first, second] = (await connection.untilClosed()).split(/(?=HTTP\/1\.1 \d)/u);
    expect(first).toContain("the first page");
    expect(readProblem(toAnswer(second ?? ""))).toBe("400 request_malformed");
  });
});

describe("targets", () => {
  test.each(["OPTIONS *", "GET *"])("%s is a problem", async (line) => {
    expect(readProblem(await rig.ask(line))).toBe("400 request_malformed");
  });

  test.each(["/./api/cards", "/x/../api/cards", "/_next/../api/cards", "/api/auth/../cards"])(
    "%s is an unknown path, and never reaches the pages",
    async (target) => {
      expect(readProblem(await rig.ask(`GET ${target}`))).toBe("404 path_unknown");
      expect(rig.received).toEqual([]);
    },
  );

  test.each(["GET", "POST"])("%s of next-auth's log is an unknown path", async (method) => {
    expect(readProblem(await rig.ask(`${method} /api/auth/_log`))).toBe("404 path_unknown");
    expect(rig.received).toEqual([]);
  });

  test.each([
    ["GET /cards", "Authorization: Bearer fd_test", "GET /api/cards?"],
    ["GET /v1/cards", "Authorization: Bearer fd_test", "GET /api/cards?"],
    ["PATCH /cards/credit/balance", "Authorization: Bearer x", "PATCH /api/cards/credit/balance?"],
    ["GET /events", "Accept: application/json", "GET /api/events?"],
    ["GET /", "Accept: application/problem+json, application/json", "begin with /api."],
  ])("%s with %s is answered with the path below /api", async (line, header, hint) => {
    const answer = await rig.ask(line, [header]);
    expect(readProblem(answer)).toBe("404 path_unknown");
    expect(answer.body).toContain(hint);
    expect(rig.received).toEqual([]);
  });

  test("what a browser takes is a page, even at a path of the API", async () => {
    for (const header of ["Accept: text/html,application/json", "Accept: */*", "X-Nothing: 1"]) {
      expect((await rig.ask("GET /cards", [header])).status).toBe(200);
    }
  });

  test("a server action is refused with one line in the log, which repeats nothing of it", async () => {
    const warn = vi.spyOn(log, "warn");
    const answer = await rig.ask(
      "POST /sign-in",
      ["Next-Action: 40c0ffee", "Content-Length: 2"],
      "[]",
    );
    expect(readProblem(answer)).toBe("404 path_unknown");
    expect(rig.received).toEqual([]);
    expect(warn.mock.calls).toEqual([["Refused a server action: the pages have none."]]);
  });

  test("an absolute one is answered and does not redirect", async () => {
    const api = await rig.ask("GET http://own.example/api/health/live");
    expect(api.status).toBe(200);
    const page = await rig.ask("GET http://own.example:81/overview?a=1");
    expect(page.status).toBe(200);
    expect(rig.received[0]).toMatchObject({
      url: "/overview?a=1",
      headers: { host: "own.example:81" },
    });
  });
});

describe("hosts", () => {
  test("two are refused", async () => {
    expect(readProblem(await rig.ask("GET /api/cards", ["Host: own.example"]))).toBe(
      "400 request_malformed",
    );
  });

  test.each(["own.example/x", "own example", "own.example:x", "a@own.example", "[own]"])(
    "%s is not a host",
    async (host) => {
      const answer = await exchangeRaw(
        rig.port,
        `GET /api/health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(readProblem(answer)).toBe("400 request_malformed");
    },
  );

  test.each(["own.example", "OWN.example:3000", "127.0.0.1:3000", "localhost", "[::1]:3000"])(
    "%s is this server's",
    async (host) => {
      const answer = await exchangeRaw(
        rig.port,
        `GET /overview HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(200);
    },
  );

  test.each(["other.example", "own.example.other.example", "10.0.0.12:3000"])(
    "%s is another server's, and is asked for its health alone",
    async (host) => {
      for (const line of ["GET /api/cards", "GET /overview", `GET http://${host}/overview`]) {
        const answer = await exchangeRaw(
          rig.port,
          `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        expect(readProblem(answer)).toBe("421 host_unknown");
      }
      expect(rig.received).toEqual([]);
      const healthy = await exchangeRaw(
        rig.port,
        `GET /api/health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(healthy.status).toBe(200);
    },
  );

  test.each(["/api/health/live", "/api/health/ready"])("%s needs none", async (target) => {
    const older = await exchangeRaw(rig.port, `OPTIONS ${target} HTTP/1.0\r\n\r\n`);
    expect(older.status).toBe(405);
    for (const rest of ["HTTP/1.0", "HTTP/1.1\r\nConnection: close"]) {
      expect((await exchangeRaw(rig.port, `GET ${target} ${rest}\r\n\r\n`)).status).toBe(200);
    }
  });

  test("anything else in HTTP/1.1 needs one", async () => {
    for (const target of ["/api/cards", "/overview"]) {
      const answer = await exchangeRaw(
        rig.port,
        `GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`,
      );
      expect(readProblem(answer)).toBe("400 request_malformed");
    }
    expect((await exchangeRaw(rig.port, "GET /overview HTTP/1.0\r\n\r\n")).status).toBe(200);
    expect(rig.received[0]?.headers.host).toBe("own.example");
  });
});
