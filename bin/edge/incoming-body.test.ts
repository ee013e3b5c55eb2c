import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { log } from "#lib/base/log.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

let rig: EdgeRig;
let key: string;
let owner: TestStaff;

beforeAll(async () => {
  rig = await EdgeRig.start();
  const integrator = await newIntegrator(1_000);
  key = integrator.apiKey;
  owner = await newStaff(integrator.id, "owner");
});

afterEach(() => rig.reset());

afterAll(() => rig.stop());

describe("bodies", () => {
  const LARGE = 65_537;
  const PLACES = ["/api/auth/callback/credentials", "/sign-in", "/api/cards/top-up"];

  test.each(PLACES)(
    "%s refuses one with an excessive Content-Length before it arrives",
    async (target) => {
      const connection = await RawConnection.open(rig.port);
      connection.send(
        `PATCH ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 200000000\r\n\r\n{`,
      );
      expect(readProblem(toAnswer(await connection.untilClosed()))).toBe("413 body_too_large");
      expect(rig.received).toEqual([]);
    },
  );

  test.each(PLACES)("%s does not send 100 Continue for one that is too large", async (target) => {
    const connection = await RawConnection.open(rig.port);
    connection.send(
      `PATCH ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: ${LARGE}\r\n\r\n`,
    );
    expect(readProblem(toAnswer(await connection.until("body_too_large")))).toBe(
      "413 body_too_large",
    );
    connection.socket.destroy();
  });

  test("one of an acceptable size gets 100 Continue", async () => {
    const connection = await RawConnection.open(rig.port);
    connection.send(
      "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
    );
    await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send("hello");
    expect(await connection.until("a page")).toContain("HTTP/1.1 200");
    connection.socket.destroy();
  });

  test.each(PLACES)("%s counts one without a declared length", async (target) => {
    const connection = await RawConnection.open(rig.port);
    connection.send(
      `PATCH ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    // The body never ends: it must be refused while it arrives.
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    connection.send(chunk.repeat(5));
    expect(readProblem(toAnswer(await connection.until("body_too_large")))).toBe(
      "413 body_too_large",
    );
    connection.socket.destroy();
  });

  test.each([
    ["the API refuses", "GET /api/cards"],
    ["the API does not read", "GET /api/health/live"],
    ["the server refuses", "GET /api/%2e%2e/cards"],
  ])("the connection stays open for the rest of one that %s", async (_, line) => {
    const connection = await RawConnection.open(rig.port);
    const sentAt = performance.now();
    connection.send(
      `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${LARGE - 1}\r\n\r\nx`,
    );
    await connection.until("\r\n\r\n");
    // To close it earlier would reset it under an answer that its client has not read.
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 [2-4]\d\d/u);
    expect(performance.now() - sentAt).toBeGreaterThan(499);
  });

  test("one of 64 KiB reaches the pages as it was sent", async () => {
    let received = "";
    rig.answerPage = (request, response) => {
      request.on("data", (chunk: Buffer) => (received += chunk.toString()));
      request.on("end", () => response.end("a page"));
    };
    const body = "x".repeat(LARGE - 1);
    const answer = await rig.ask("POST /api/auth/signout", [`Content-Length: ${LARGE - 1}`], body);
    expect(answer.status).toBe(200);
    expect(received === body).toBe(true);
  });

  test("the chunks of a GET stay framed, so that no request hides in them", async () => {
    const hidden = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answer = await rig.ask(
      "GET /overview",
      ["Transfer-Encoding: chunked"],
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(rig.received.map(({ url }) => url)).toEqual(["/overview"]);
  });

  test.each(PLACES)("%s refuses a compressed one", async (target) => {
    const body = gzipSync('{"amount":1}').toString("latin1");
    const answer = await rig.ask(
      `PATCH ${target}`,
      [
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        "Content-Encoding: gzip",
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect(readProblem(answer)).toBe("415 content_type_unsupported");
    expect(rig.received).toEqual([]);
  });

  test.each([
    ["a declared length", "Content-Length: 1000\r\n\r\n{"],
    ["chunks", 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"amo\r\n'],
  ])(
    "a client that disconnects in the middle of %s is not logged as a server error",
    async (_name, rest) => {
      const failed = vi.spyOn(log, "error");
      const connection = await RawConnection.open(rig.port);
      const arrived = once(rig.edge, "request");
      connection.send(
        `PATCH /api/cards/credit/balance HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${rest}`,
      );
      await arrived;
      const before = (await readCredits()).length;
      connection.socket.destroy();
      await expect.poll(readCredits).toHaveLength(before + 1);
      expect((await readCredits())[0]).toMatchObject({ status: 400, code: "request_malformed" });
      expect(failed).not.toHaveBeenCalled();
      failed.mockRestore();
    },
  );
});

/** The credits in the integrator's API log, newest first. */
async function readCredits(): Promise<{ operation: string; status: number; code: string }[]> {
  await flushApiLog();
  const { json } = await call("GET /api-log", { headers: owner.headers });
  const { data } = json as { data: { operation: string; status: number; code: string }[] };
  return data.filter(({ operation }) => operation === "creditCard");
}
