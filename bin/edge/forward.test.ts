import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { exchangeRaw, RawConnection } from "#test/outside/raw-http.ts";
import type { RawAnswer } from "#test/outside/raw-http.ts";
import { log } from "#lib/base/log.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, { PUBLIC_URL: "https://own.example" });
});

let rig: EdgeRig;
let key: string;

/** The files and connections that this process, which is client, edge, and pages, has open. */
function countDescriptors(): number {
  return readdirSync("/dev/fd").length;
}

/** Sends a request and leaves once the text has come. */
async function leaveAfter(request: string, text: string): Promise<void> {
  const connection = await RawConnection.open(rig.port);
  connection.send(request);
  await (text === "" ? setImmediate() : connection.until(text));
  connection.socket.destroy();
}

const UNFINISHED = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx";
const FINISHED = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx";
const WAYS_TO_LEAVE = [
  () => leaveAfter(`GET /early ${UNFINISHED}`, ""),
  () => leaveAfter(`POST /early ${FINISHED}`, "a page"),
  () => leaveAfter(`GET /silent ${FINISHED}`, ""),
  () => leaveAfter(`GET /broken ${FINISHED}`, "the beginning"),
];

beforeAll(async () => {
  rig = await EdgeRig.start();
  key = (await newIntegrator()).apiKey;
});

afterEach(() => rig.reset());

afterAll(() => rig.stop());

describe("pages", () => {
  test("get the client's address and the policy's nonce from the rig.edge alone", async () => {
    const answer = await rig.ask("GET /overview", [
      "X-Forwarded-For: 10.0.0.1",
      "X-Forwarded-Host: evil.example",
      "X-Forwarded-Proto: http",
      "Forwarded: for=10.0.0.1",
      "Content-Security-Policy: none",
      "Cookie: a=1",
      "Cookie: b=2",
    ]);
    const [request] = rig.received;
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toMatch(/script-src 'nonce-[\w+/]{22}==' 'strict-dynamic';/u);
    expect(request?.headers).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "content-security-policy": policy,
      cookie: "a=1; b=2",
      host: "127.0.0.1",
    });
    for (const name of ["x-forwarded-host", "x-forwarded-proto", "forwarded"]) {
      expect(request?.headers).not.toHaveProperty(name);
    }
    const again = await rig.ask("GET /overview");
    expect(again.headers.get("content-security-policy")).not.toBe(policy);
  });

  test("are forwarded as they are produced, cookies one by one", async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    rig.answerPage = (_request, response) => {
      response.writeHead(200, { "Set-Cookie": ["a=1", "b=2"] });
      response.write("the beginning");
      void finished.then(() => response.end("the end"));
    };
    const connection = await RawConnection.open(rig.port);
    connection.send("GET /overview HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const begun = await connection.until("the beginning");
    expect(begun).not.toContain("the end");
    expect(begun.match(/set-cookie: \w=\d/giu)).toHaveLength(2);
    finish();
    expect(await connection.untilClosed()).toContain("the end");
  });

  test("are abandoned when their client disconnects", async () => {
    rig.answerPage = () => undefined;
    const connection = await RawConnection.open(rig.port);
    connection.send("GET /overview HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => rig.received).toHaveLength(1);
    const abandoned = once(rig.received[0]?.socket ?? rig.edge, "close");
    connection.socket.destroy();
    await abandoned;
  });

  test("are asked for once the request's body has arrived", async () => {
    const connection = await RawConnection.open(rig.port);
    connection.send("GET /overview HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx");
    await rig.ask("GET /another");
    expect(rig.received.map(({ url }) => url)).toEqual(["/another"]);
    connection.send("y");
    await connection.until("a page");
    connection.socket.destroy();
  });

  test("leave nothing open, whichever side closes first", { timeout: 60_000 }, async () => {
    rig.answerPage = (request, response) => {
      if (request.url === "/early") {
        response.end("a page");
      } else if (request.url === "/broken") {
        response.write("the beginning", () => request.socket.destroy());
      }
    };
    const before = countDescriptors();
    for (let round = 0; round < 25; round += 1) {
      await Promise.all(WAYS_TO_LEAVE.flatMap((leave) => Array.from({ length: 5 }, () => leave())));
    }
    await expect.poll(countDescriptors).toBeLessThan(before + 20);
  });

  test("that break off midway break off for the client too", async () => {
    rig.answerPage = (request, response) => {
      response.writeHead(200, { "Content-Length": 100 });
      response.write("the beginning", () => request.socket.destroy());
    };
    const connection = await RawConnection.open(rig.port);
    connection.send("GET /overview HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect((await connection.untilClosed()).endsWith("the beginning")).toBe(true);
  });

  test.each([
    ["are not running", () => void (rig.isRunning = false)],
    ["go away", () => (rig.answerPage = (request) => void request.socket.destroy())],
  ])(
    "that %s are replaced by a page that says so, and the API continues",
    async (_name, breakThem) => {
      breakThem();
      const page = await rig.ask("GET /overview", ["Accept: text/html,*/*"]);
      expect(page.status).toBe(503);
      expect(page.headers.get("retry-after")).toMatch(/^\d+$/u);
      expect(page.headers.get("content-type")).toMatch(/^text\/html/u);
      expect(page.body).toContain("Floatdeck");
      expect(readProblem(await rig.ask("POST /api/auth/signout"))).toBe("503 pages_unavailable");
      expect((await rig.ask("GET /api/health/live")).status).toBe(200);
    },
  );
});

test("each outage of the pages is one line in the log, however often a proxy asks, and one for each person", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const ask = async (...headers: string[]) => (await rig.ask("GET /sign-in", headers)).status;
  const fail = async () => {
    rig.isRunning = false;
    expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 503]);
    rig.isRunning = true;
  };
  await fail();
  expect(warned).toHaveBeenCalledTimes(1);
  expect(await ask()).toBe(200);
  await fail();
  expect(warned).toHaveBeenCalledTimes(2);
  rig.isRunning = false;
  expect([await ask(), await ask("Accept: text/html")]).toEqual([503, 503]);
  expect(warned).toHaveBeenCalledTimes(3);
  warned.mockRestore();
});

test("a page that is withheld is replaced by one that says that the database does not respond", async () => {
  rig.answerPage = (_request, response) => response.writeHead(503, { "Content-Length": 0 }).end();
  const page = await rig.ask("GET /overview", ["Accept: text/html,*/*"]);
  expect(page.status).toBe(503);
  expect(page.headers.get("retry-after")).toMatch(/^\d+$/u);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/u);
  expect(page.body).toContain("The database isn't responding");
  expect(readProblem(await rig.ask("GET /overview", ["RSC: 1"]))).toBe("503 database_unavailable");
});

test("a page that failed without its database comes with its frame", async () => {
  rig.answerPage = (_request, response) => response.writeHead(503).end("the frame");
  const page = await rig.ask("GET /overview", ["Accept: text/html,*/*"]);
  expect([page.status, page.body]).toEqual([503, expect.stringContaining("the frame")]);
});

describe("every answer has the headers that protect its reader, each once", () => {
  const ANSWERS: [string, () => Promise<RawAnswer>][] = [
    ["a page", () => rig.ask("GET /overview")],
    ["an operation", () => rig.ask("GET /api/cards", [`Authorization: Bearer ${key}`])],
    ["an export", () => rig.ask("GET /api/exports/cards", [`Authorization: Bearer ${key}`])],
    ["a refusal", () => rig.ask("GET /api/cards")],
    ["an unknown path", () => rig.ask("GET /api/none")],
    ["a disguised path", () => rig.ask("GET /./api/none")],
    ["what is not HTTP", () => exchangeRaw(rig.port, "NONSENSE\r\n\r\n")],
    [
      "a page that does not exist",
      () => {
        rig.isRunning = false;
        return rig.ask("GET /overview", ["Accept: text/html"]);
      },
    ],
  ];

  test.each(ANSWERS)("%s", async (_name, get) => {
    const { headers } = await get();
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});
