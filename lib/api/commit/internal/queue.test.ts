import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { SeededRandom } from "#lib/base/seeded-random.ts";
import { DatabaseFailure } from "#db/failures.ts";
import { BATCH_MAX, CommitQueue, WAITING_MAX } from "./queue.ts";
import { timeLimit } from "#db/time-limits.ts";

/** Work that records its batches, blocks while its gate is closed, and fails on negative requests. */
function newWork() {
  const batches: number[][] = [];
  const gate = { open: Promise.resolve() };
  const work = async (requests: readonly number[]) => {
    batches.push([...requests]);
    await gate.open;
    for (const request of requests) {
      if (request < 0) {
        throw new Error(`poisoned ${request}`);
      }
    }
    return requests.map((request) => request * 10);
  };
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.open = promise;
    return resolve;
  };
  return { batches, work, close };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test("an idle queue starts at once; requests that arrive meanwhile form the next batch, in order", async () => {
  const { batches, work, close } = newWork();
  const queue = new CommitQueue("test", work);
  const open = close();
  const answers = numbers(300).map((request) => queue.submit("a", request));
  expect(batches).toEqual([[0]]);
  open();
  expect(await Promise.all(answers)).toEqual(numbers(300).map((request) => request * 10));
  expect(batches.map((batch) => batch.length)).toEqual([1, BATCH_MAX, 300 - 1 - BATCH_MAX]);
  expect(batches.flat()).toEqual(numbers(300));
});

test("one batch in flight per group, and groups do not wait for each other", async () => {
  const { batches, work, close } = newWork();
  const queue = new CommitQueue("test", work);
  const open = close();
  const answers = [1, 2].map((request) => queue.submit("a", request));
  answers.push(queue.submit("b", 3));
  await sleep(5);
  expect(batches).toEqual([[1], [3]]);
  open();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
});

/** Work that takes this long for a batch and for each request, and records its start, its end, and how many requests it had. */
function newSlowWork(batchMs: number, eachMs = 0) {
  const batches: { size: number; start: number; end: number }[] = [];
  const work = async (requests: readonly number[]) => {
    const start = performance.now();
    await wait(batchMs + eachMs * requests.length);
    batches.push({ size: requests.length, start, end: performance.now() });
    return requests;
  };
  return { batches, work };
}

/** Real time would make these tests depend on how busy the machine is. */
function fakeTime() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

// A queue has learned after this many batches, and no later.
test.each([
  { clients: 2, learned: 47, slowness: 1 },
  { clients: 3, learned: 38, slowness: 1 },
  { clients: 8, learned: 21, slowness: 1 },
  { clients: 8, learned: 21, slowness: 4 },
])(
  "$clients clients that send again once answered share every commit, on a machine $slowness times slower",
  async (one) => {
    const { clients, learned, slowness } = one;
    fakeTime();
    const { batches, work } = newSlowWork(20 * slowness);
    const queue = new CommitQueue("test", work);
    for (const client of numbers(clients)) {
      void (async () => {
        for (;;) {
          await queue.submit("a", client);
          await wait((1 + client / 4) * slowness);
        }
      })();
    }
    await vi.advanceTimersByTimeAsync(4_000 * slowness);
    const settled = batches.slice(learned).map(({ size }) => size);
    expect(settled).toEqual(settled.map(() => clients));
    expect(settled.length).toBeGreaterThan(30);
  },
);

test("requests that arrive evenly are never held up", async () => {
  fakeTime();
  const { batches, work } = newSlowWork(20);
  const queue = new CommitQueue("test", work);
  for (const index of numbers(500)) {
    void queue.submit("a", index);
    await vi.advanceTimersByTimeAsync(2);
  }
  const pauses = batches.slice(1).map(({ start }, index) => start - (batches[index]?.end ?? 0));
  expect(pauses).toEqual(pauses.map(() => 0));
  expect(pauses.length).toBeGreaterThan(30);
});

test.each([
  { meanMs: 2, eachMs: 1 },
  { meanMs: 4, eachMs: 1 },
  { meanMs: 10, eachMs: 0 },
  { meanMs: 20, eachMs: 0 },
  { meanMs: 40, eachMs: 0 },
])(
  "requests that arrive independently, every $meanMs ms on average, are hardly ever held up",
  async ({ meanMs, eachMs }) => {
    fakeTime();
    const { batches, work } = newSlowWork(20, eachMs);
    const queue = new CommitQueue("test", work);
    const random = new SeededRandom(7);
    const arrivals: number[] = [];
    for (const index of numbers(12_000)) {
      arrivals.push(performance.now());
      void queue.submit("a", index);
      await vi.advanceTimersByTimeAsync(-Math.log(1 - random.next()) * meanMs);
    }
    let done = 0;
    let heldUp = 0;
    for (const [index, { size, start }] of batches.entries()) {
      const due = Math.max(arrivals[done] ?? 0, batches[index - 1]?.end ?? 0);
      heldUp += start > due ? 1 : 0;
      done += size;
    }
    expect(heldUp / batches.length).toBeLessThan(0.01);
    expect(batches.length).toBeGreaterThan(500);
  },
);

test("a poisoned request fails only itself", async () => {
  const { batches, work } = newWork();
  const queue = new CommitQueue("test", work);
  const answers = [1, 2, -3, 4].map((request) => queue.submit("a", request));
  const settled = await Promise.allSettled(answers);
  expect(settled.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([
    10,
    20,
    "failed",
    40,
  ]);
  expect(batches).toEqual([[1], [2, -3, 4], [2], [-3], [4]]);
  expect(await queue.submit("a", 5)).toBe(50);
});

test("a full queue is overloaded, loses no waiting request, and recovers at once", async () => {
  const { work, close } = newWork();
  const queue = new CommitQueue("test", work);
  const open = close();
  const answers = numbers(1 + WAITING_MAX).map((request) => queue.submit("a", request));
  await expect(queue.submit("a", 7)).rejects.toMatchObject({ code: "overloaded" });
  const other = queue.submit("b", 7);
  open();
  expect(await other).toBe(70);
  expect(await Promise.all(answers)).toHaveLength(1 + WAITING_MAX);
  expect(await queue.submit("a", 7)).toBe(70);
});

test("a request that has waited too long behind a stuck batch fails, and nothing is done for it", async () => {
  const { batches, work, close } = newWork();
  const queue = new CommitQueue("test", work);
  fakeTime();
  const open = close();
  const first = queue.submit("a", 1);
  const late = vi.fn<(reason: unknown) => void>();
  const second = queue.submit("a", 2).catch(late);
  await vi.advanceTimersByTimeAsync(timeLimit("batch") - 10);
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  await second;
  expect(late).toHaveBeenCalledWith(expect.objectContaining({ code: "database_unavailable" }));
  const third = queue.submit("a", 3);
  open();
  expect(await Promise.all([first, third])).toEqual([10, 30]);
  expect(batches).toEqual([[1], [3]]);
});

test("an unknown outcome applies to every request of the batch and is never retried", async () => {
  const batches: number[][] = [];
  const queue = new CommitQueue<number, number>("test", async (requests) => {
    batches.push([...requests]);
    if (requests.length > 1) {
      throw new DatabaseFailure("outcome_unknown", "The connection was lost.");
    }
    return requests;
  });
  const answers = [1, 2, 3].map((request) => queue.submit("a", request));
  expect(await Promise.allSettled(answers)).toMatchObject([
    { value: 1 },
    { reason: { code: "outcome_unknown" } },
    { reason: { code: "outcome_unknown" } },
  ]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("when a failed batch is rerun one request at a time, a lost database fails the remaining requests", async () => {
  const attempted: number[][] = [];
  const queue = new CommitQueue<number, number>("test", async (requests) => {
    attempted.push([...requests]);
    if (requests.length > 1) {
      throw new Error("poisoned");
    }
    if (requests[0] === 3) {
      throw new DatabaseFailure("outcome_unknown", "The connection was lost.");
    }
    return requests;
  });
  const answers = [1, 2, 3, 4].map((request) => queue.submit("a", request));
  expect(await Promise.allSettled(answers)).toMatchObject([
    { value: 1 },
    { value: 2 },
    { reason: { code: "outcome_unknown" } },
    { reason: { code: "database_unavailable" } },
  ]);
  expect(attempted).toEqual([[1], [2, 3, 4], [2], [3]]);
});
