import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDeployFile } from "#test/faults/guide-config.ts";
import { hasPackages } from "#test/run/packages.ts";
import { DRAIN_SECONDS_MAX } from "#lib/base/env.ts";
import { ROOT } from "#db/root.ts";
import { timeLimit } from "#db/time-limits.ts";

/** The units of docs/deploy, against systemd itself and against how long our programs take to stop. */

const UNITS = ["floatdeck-server.service", "floatdeck-worker.service"] as const;

/** Ten times the figure that systemd prints. */
const EXPOSURE_MAX = 20;

/** Tests have longer limits than the programs of an installation. */
const FACTOR = Number(process.env["TIME_LIMIT_FACTOR"] || 1);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "floatdeck-units-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the unit for this checkout, which has the Node that a release has. @returns its file. */
function write(name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, readDeployFile(name, { "/opt/floatdeck": ROOT }));
  return file;
}

describe.skipIf(!hasPackages("systemd")).each(UNITS)("%s", (name) => {
  test("is what systemd accepts without a warning", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", write(name)], {
      encoding: "utf8",
    });
    const about = stderr.split("\n").filter((line) => line.includes("floatdeck"));
    expect([status, about]).toEqual([0, []]);
  });

  test("exposes little of the machine", () => {
    const args = ["security", "--offline=yes", `--threshold=${EXPOSURE_MAX}`, write(name)];
    expect(spawnSync("systemd-analyze", args, { encoding: "utf8" }).status).toBe(0);
  });
});

test.each([
  ["floatdeck-server.service", DRAIN_SECONDS_MAX * 1_000 + timeLimit("serverDrain") / FACTOR],
  ["floatdeck-worker.service", timeLimit("workerDrain") / FACTOR],
])("%s gives the program longer than it takes to stop", (name, stopMs) => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/mu.exec(readDeployFile(name, {})) ?? [];
  expect(Number(seconds) * 1_000).toBeGreaterThan(stopMs);
});
