import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { log } from "#lib/base/log.ts";
import { EdgeRig, readProblem } from "./edge-rig.ts";

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, { TRUSTED_PROXIES: "1", FLOATDECK_ENV: "sandbox" });
});

let rig: EdgeRig;

beforeAll(async () => {
  rig = await EdgeRig.start();
});

afterAll(() => rig.stop());

/** Sends 60 wrong keys from an address that the proxy reports in these spellings. @returns how many are limited. */
async function guess(toReported: (port: number) => string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      rig.ask("GET /api/cards", [
        "Authorization: Bearer fd_test_wrong",
        `X-Forwarded-For: 192.0.2.1, ${toReported(50_000 + index)}`,
      ]),
    ),
  );
  return answers.map(readProblem).filter((each) => each === "429 rate_limited").length;
}

test("wrong keys are limited by address, in whatever form a proxy reports it", async () => {
  const warned = vi.spyOn(log, "warn");
  expect(await guess(() => "203.0.113.1")).toBeGreaterThanOrEqual(39);
  expect(await guess((port) => `203.0.113.7:${port}`)).toBeGreaterThanOrEqual(39);
  expect(await guess((port) => `[2001:db8::1]:${port}`)).toBeGreaterThanOrEqual(39);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

test("clients without a readable address are counted together, and the log says so once a minute", async () => {
  const warned = vi.spyOn(log, "warn");
  expect(await guess((port) => `client-${port}`)).toBeGreaterThanOrEqual(39);
  expect(warned.mock.calls).toEqual([
    [
      { reported: expect.stringMatching(/^client-500\d\d$/u) },
      "A proxy reports clients without a readable address in X-Forwarded-For: they share their limits.",
    ],
  ]);
  warned.mockRestore();
  // They are never refused for that.
  const page = await rig.ask("GET /sign-in", ["X-Forwarded-For: a client"]);
  expect([page.status, rig.received.at(-1)?.headers["x-forwarded-for"]]).toEqual([
    200,
    "unreadable",
  ]);
});
