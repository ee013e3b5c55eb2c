import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { withTimeLimits } from "#db/time-limits.ts";
import { watchPages } from "./pages-watch.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
});

/** A process that says that it listens, and then runs the code. */
async function start(code: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", `process.send("listens"); ${code}`], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  watchPages(child);
  await once(child, "message");
  return child;
}

const LIMITS = { pagesStart: 60_000, pagesHang: 300, pagesSilence: 120_000 };
/** Many times as long as it takes to notice that a process hangs. */
const LATER_MS = 3_000;
const SAY_LATER = `setTimeout(() => process.send("later"), ${LATER_MS});`;

test("a process that works without answering is killed", async () => {
  await withTimeLimits(LIMITS, async () => {
    const child = await start("for (;;);");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });
});

test("one that gets so little of the processor that it cannot answer is left alone", async () => {
  await withTimeLimits(LIMITS, async () => {
    // It hears pings, and is as slow as one that shares the processor with forty others.
    const child = await start(`process.on("message", () => {}); ${SAY_LATER}`);
    expect(await once(child, "message")).toEqual(["later", undefined]);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});

test("one that does nothing at all is killed in the end", async () => {
  await withTimeLimits({ ...LIMITS, pagesSilence: 500 }, async () => {
    const child = await start('process.on("message", () => {});');
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });
});

test("one that has not said yet that it listens has longer, and no more", async () => {
  await withTimeLimits({ ...LIMITS, pagesStart: 1_000 }, async () => {
    const child = spawn(process.execPath, ["-e", "for (;;);"], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    children.push(child);
    watchPages(child);
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });
});

test("answers that came while the watching process was held up count", async () => {
  await withTimeLimits(LIMITS, async () => {
    const child = await start(`
      process.on("message", () => process.send("works"));
      const work = () => { for (const end = Date.now() + 10; Date.now() < end;); setImmediate(work); };
      work();`);
    let held = 0;
    const holdUp = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LIMITS.pagesHang);
      held += 1;
    };
    // Due after the timer of the watch, which has just sent a ping, and long over when it is due again.
    const timer = setInterval(() => setImmediate(holdUp), LIMITS.pagesHang / 2);
    await vi.waitFor(() => expect(held).toBeGreaterThan(4), { timeout: 30_000 });
    clearInterval(timer);
    await once(child, "message");
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});
