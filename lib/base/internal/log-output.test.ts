import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { WAITING_BYTES_MAX } from "#lib/base/internal/log-output.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const LINES_PER_REQUEST = 1_000;
/** Of 2.5 MB of lines. */
const REQUESTS = 15;

/**
 * Logs a thousand numbered lines for each request, and the last one when it is told to end. It has started a process that
 * inherits its standard error, as a server does.
 */
const SERVER = `
  import { spawnSync } from "node:child_process";
  import { createServer } from "node:http";
  import { log } from "#lib/base/log.ts";
  spawnSync(process.execPath, ["--version"], { stdio: ["ignore", "ignore", "inherit"] });
  let number = 0;
  const server = createServer((request, response) => {
    for (let line = 0; line < ${LINES_PER_REQUEST}; line += 1) {
      log.info({ number: number++ }, "x".repeat(100));
    }
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  process.once("message", () => {
    log.fatal("The last line.");
    process.exit(0);
  });`;

/** Logs more than a pipe holds, and ends at once. */
const COMMAND = `
  import { log } from "#lib/base/log.ts";
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "The last line.");
    process.exit(1);
  });
  for (let number = 0; number < ${LINES_PER_REQUEST * 3}; number += 1) {
    log.info({ number }, "x".repeat(100));
  }
  process.send("logged");
  throw new Error("It failed.");`;

interface Line {
  number?: number;
  lines?: number;
  msg: string;
}

let child: ChildProcess;
let folder: string;

afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Collectors read a pipe, systemd's journal a socket. */
describe.each(["pipe", "socket"] as const)("the log goes to a %s", (kind) => {
  test("that nobody reads: the server answers on, and the reader learns later what it missed", async () => {
    const stderr = run(SERVER, kind);
    const [port] = await once(child, "message");
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
    for (let request = 0; request < REQUESTS; request += 1) {
      await ask();
    }
    let log = "";
    stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
    await expect.poll(() => log, { timeout: 20_000 }).toContain("dropped");
    expect(log.length).toBeGreaterThan(WAITING_BYTES_MAX);
    await ask();
    child.send("end");
    await once(stderr, "end");
    const lines = toLines(log);
    const report = lines.find((line) => line.lines !== undefined);
    expect(report?.msg).toBe("Lines of the log were dropped: nobody read it.");
    expect(findGaps(lines)).toEqual([report?.lines]);
    expect(lines.slice(-2).map((line) => line.number ?? line.msg)).toEqual([
      (REQUESTS + 1) * LINES_PER_REQUEST - 1,
      "The last line.",
    ]);
  });

  test("that is read late: every line arrives, up to the last before the exit", async () => {
    const stderr = run(COMMAND, kind);
    await once(child, "message");
    const lines = toLines(await text(stderr));
    expect(lines.map((line) => line.number ?? line.msg)).toEqual([
      ...Array.from({ length: LINES_PER_REQUEST * 3 }, (_, number) => number),
      "The last line.",
    ]);
  });

  test("that nobody reads: a program ends all the same", async () => {
    run(COMMAND, kind);
    const [code] = await once(child, "exit");
    expect(code).toBe(1);
  });
});

/** Starts the program. @returns its standard error, which nobody reads yet. */
function run(program: string, kind: "pipe" | "socket"): Readable {
  folder = mkdtempSync(path.join(tmpdir(), "floatdeck-log-"));
  const fifo = path.join(folder, "log");
  execFileSync("mkfifo", [fifo]);
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(fifo, constants.O_WRONLY);
  child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", kind === "pipe" ? writer : "pipe", "ipc"],
  });
  closeSync(writer);
  const pipe = new Socket({ fd: reader, readable: true, writable: false });
  return child.stderr ?? pipe;
}

function toLines(log: string): Line[] {
  return log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** How many numbers are missing, wherever one is. */
function findGaps(lines: readonly Line[]): number[] {
  const numbers = lines.flatMap(({ number }) => (number === undefined ? [] : [number]));
  return numbers
    .map((number, index) => number - (numbers[index - 1] ?? -1) - 1)
    .filter((missing) => missing > 0);
}
