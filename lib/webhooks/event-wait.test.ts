import { expect, test } from "vitest";
import { beginClosing } from "#lib/base/lifecycle.ts";
import { wakeFeed } from "#lib/base/wake.ts";
import { waitForEvents } from "#lib/webhooks/event-wait.ts";

const NONE = { rows: [], nextCursor: "7.a" };
const SOME = { rows: ["an event"], nextCursor: "8.b" };

/** A request that waits for the events of `integratorId`; it finds some once `record` was called. */
function newWaiter(integratorId: string, waitMs = 20_000) {
  const gone = new AbortController();
  let page: typeof NONE | typeof SOME = NONE;
  let reads = 0;
  let waitedMs = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(page);
  };
  return {
    answer: waitForEvents<string>(read, {
      integratorId,
      waitMs,
      signal: gone.signal,
      onWaited: (ms) => (waitedMs += ms),
    }),
    leave: () => gone.abort(),
    record: () => (page = SOME),
    reads: () => reads,
    waitedMs: () => waitedMs,
  };
}

test("a request that waits is answered by an event of its integrator at once, and by no one else's", async () => {
  const started = performance.now();
  const mine = newWaiter("mine");
  wakeFeed("theirs");
  mine.record();
  wakeFeed("mine");
  expect(await mine.answer).toEqual(SOME);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test("an event that another process recorded is found without being woken", async () => {
  const waiter = newWaiter("elsewhere");
  await expect.poll(waiter.reads).toBeGreaterThan(1);
  waiter.record();
  expect(await waiter.answer).toEqual(SOME);
});

test("when the time is over, the page is empty and its cursor stays", async () => {
  const waiter = newWaiter("quiet", 50);
  expect(await waiter.answer).toEqual(NONE);
  // A timer may fire up to a millisecond early.
  expect(waiter.waitedMs()).toBeGreaterThanOrEqual(49);
  const hasty = newWaiter("quiet", 0);
  expect(await hasty.answer).toEqual(NONE);
  expect(hasty.waitedMs()).toBe(0);
});

test("the eleventh request of an integrator is refused until one ends or its client is gone", async () => {
  const waiting = Array.from({ length: 10 }, () => newWaiter("busy"));
  const refused = newWaiter("busy").answer;
  await expect(refused).rejects.toMatchObject({ code: "rate_limited" });
  const [first] = waiting;
  first?.leave();
  expect(await first?.answer).toEqual(NONE);
  const admitted = newWaiter("busy");
  await expect.poll(admitted.reads).toBeGreaterThan(1);
  for (const each of [...waiting, admitted]) {
    each.leave();
  }
  await Promise.all([...waiting, admitted].map(({ answer }) => answer));
});

test("at most two hundred requests wait in one process, and the next is refused as overloaded", async () => {
  const waiting = Array.from({ length: 200 }, (_, at) => newWaiter(`tenant ${at % 20}`));
  await expect(newWaiter("one more").answer).rejects.toMatchObject({ code: "overloaded" });
  for (const each of waiting) {
    each.leave();
  }
  await Promise.all(waiting.map(({ answer }) => answer));
});

test("requests stop waiting when the process begins to close connections", async () => {
  const waiter = newWaiter("stopped");
  await expect.poll(waiter.reads).toBeGreaterThan(1);
  beginClosing();
  expect(await waiter.answer).toEqual(NONE);
});
