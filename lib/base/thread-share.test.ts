import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ThreadShare } from "./thread-share.ts";

/** What the work takes of the thread. */
const WORK_MS = 60;

/** Keeps the thread for so long. */
function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    // Like work that does not yield.
  }
}

/** Does long work in short turns. */
async function work(share: ThreadShare): Promise<void> {
  for (let done = 0; done < WORK_MS; done += 1) {
    keepBusy(1);
    await share.yield();
  }
}

test("others who are busy get nearly all of the thread, and the work still ends", async () => {
  const done = new AbortController();
  let others = 0;
  const busy = (async () => {
    while (!done.signal.aborted) {
      keepBusy(2);
      others += 2;
      await setImmediate();
    }
  })();
  await work(new ThreadShare()).finally(() => done.abort());
  await busy;
  expect(others).toBeGreaterThan(5 * WORK_MS);
});
