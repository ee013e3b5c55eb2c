import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { client, rig, useRig } from "./each-rig.ts";
import { Load } from "./load.ts";
import { pagesOf } from "./pages-of.ts";
import { loadPage, untilPagesAnswer } from "./sign-in-page.ts";

/** A debugger of these processes listens at a port that is free. */
useRig({ serves: "pages", environment: { NODE_OPTIONS: "--inspect-port=0" } });

const KILLS = 3;
const BACK_WITHIN_MS = 60_000;
/** Generous: a process exceeds its CPU budget slowly on a busy machine, where it gets little CPU time. */
const REPLACED_WITHIN_MS = 240_000;
/** Longer than any pause between two answers that once counted as a hang. */
const SLOW_MS = 45_000;

let load: Load;

beforeEach(() => {
  load = new Load(rig, client, { count: 5, pauseMs: 20 });
});

/** Whatever becomes of pages, the same server has answered every payment. */
afterEach(async () => {
  await load.stop();
  expect(load.seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect([rig.server.exitCode, rig.server.signalCode]).toEqual([null, null]);
});

test("kill -9 of the pages' process before it has ever answered: the server goes on, and starts it again", async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const pages = await findPages();
    expect((await loadPage()).status).toBe(503);
    process.kill(pages, "SIGKILL");
    await vi.waitFor(async () => expect(await findPages()).not.toBe(pages), {
      timeout: BACK_WITHIN_MS,
      interval: 5,
    });
  }
  await untilPagesAnswer(BACK_WITHIN_MS);
});

test("a pages' process that is slow for long, because others have the processor, is left alone", async () => {
  await untilPagesAnswer(BACK_WITHIN_MS);
  const pages = await findPages();
  process.kill(pages, "SIGSTOP");
  await sleep(SLOW_MS);
  process.kill(pages, "SIGCONT");
  await untilPagesAnswer(BACK_WITHIN_MS);
  expect(await findPages()).toBe(pages);
});

test("a pages' process that works without ever answering is replaced", async () => {
  await untilPagesAnswer(BACK_WITHIN_MS);
  const pages = await findPages();
  await spin(pages);
  await vi.waitFor(async () => expect(await findPages()).not.toBe(pages), {
    timeout: REPLACED_WITHIN_MS,
    interval: 200,
  });
  await untilPagesAnswer(BACK_WITHIN_MS);
});

/** Has a process of Node run a loop without an end, as its debugger. */
async function spin(pid: number): Promise<void> {
  process.kill(pid, "SIGUSR1");
  const url = await vi.waitFor(() => {
    const found = /Debugger listening on (?<url>ws:\S+)/u.exec(rig.log())?.groups?.["url"];
    expect(found).toBeDefined();
    return String(found);
  });
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  socket.send(
    JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: "for (;;);" } }),
  );
}

function findPages(): Promise<number> {
  return vi.waitFor(
    () => {
      const pid = pagesOf(rig.server);
      expect(pid).toBeDefined();
      return Number(pid);
    },
    { timeout: BACK_WITHIN_MS, interval: 5 },
  );
}
