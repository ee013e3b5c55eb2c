import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PageTurns } from "./page-turns.ts";

const ALLOWANCE = { processors: 0.25, burstMs: 250 };
const PAGE_MS = 30;
/** Of a client that waits for its page. */
const STAYING = new AbortController().signal;

let usedMs: number;
let activeMs: number;
let admitted: number[];
/** Who each of them was served to. */
let clients: string[];
let turns: PageTurns;

beforeEach(() => {
  vi.useFakeTimers();
  usedMs = 1_000;
  activeMs = 0;
  admitted = [];
  clients = [];
  turns = new PageTurns(ALLOWANCE, { readUsedMs: () => usedMs, readActiveMs: () => activeMs });
});

afterEach(() => void vi.useRealTimers());

describe("while the API is busy", () => {
  beforeEach(() => turns.setBusy(true));

  test("pages take the burst and their share of the time, and no more", async () => {
    request(1_000);
    await vi.advanceTimersByTimeAsync(10_000);
    const allowedMs = ALLOWANCE.burstMs + 10_000 * ALLOWANCE.processors;
    const takenMs = admitted.length * PAGE_MS;
    expect(takenMs).toBeGreaterThan(allowedMs - PAGE_MS);
    expect(takenMs).toBeLessThan(allowedMs + PAGE_MS);
  });

  test("pages of a client are admitted in order of arrival", async () => {
    request(20);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(admitted).toEqual(Array.from({ length: 20 }, (_, page) => page));
  });

  test("clients take turns", async () => {
    request(4, "a");
    request(2, "b");
    request(1, "c");
    request(1, "a");
    request(1, "b");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clients.join("")).toBe("aabcababa");
  });

  test("a page after a pause does not wait", async () => {
    request(20);
    await vi.advanceTimersByTimeAsync(10_000);
    request(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toHaveLength(21);
  });

  test("pages that come together do not all spend what is left before the first has cost anything", async () => {
    request(20);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toHaveLength(1);
  });

  test("a pause saves no more than the burst", async () => {
    await vi.advanceTimersByTimeAsync(3_600_000);
    request(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    const allowedMs = ALLOWANCE.burstMs + 1_000 * ALLOWANCE.processors;
    expect(admitted.length * PAGE_MS).toBeLessThan(allowedMs + PAGE_MS);
  });

  test("an expensive page delays the next one by a second, not by minutes", async () => {
    usedMs += 60_000;
    request(1);
    await vi.advanceTimersByTimeAsync(900);
    expect(admitted).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(admitted).toEqual([0]);
  });

  test("all pages that wait are admitted once it is not, and none is admitted twice", async () => {
    request(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(admitted.length).toBeLessThan(100);
    turns.setBusy(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toHaveLength(100);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(admitted).toHaveLength(100);
  });

  test("pages that their clients abandon give up their places", async () => {
    usedMs += 60_000;
    const leaving = new AbortController();
    const abandoned = Array.from({ length: 1_000 }, () => turns.take("a", leaving.signal));
    request(1, "a");
    leaving.abort();
    await Promise.all(abandoned);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(clients).toEqual(["a"]);
  });

  test("a turn ahead waits for no page, and each client has one at a time", async () => {
    usedMs += 60_000;
    request(20);
    const endAhead = await turns.takeAhead("a", STAYING);
    await turns.takeAhead("b", STAYING);
    let hasSecond = false;
    const takeSecond = async () => {
      await turns.takeAhead("a", STAYING);
      hasSecond = true;
    };
    void takeSecond();
    await vi.advanceTimersByTimeAsync(0);
    expect([admitted.length, hasSecond]).toEqual([0, false]);
    endAhead();
    await turns.takeAhead("a", STAYING);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([admitted.length, hasSecond]).toEqual([20, true]);
  });

  test("what pages took while it was not busy is not held against them", async () => {
    turns.setBusy(false);
    usedMs += 60_000;
    turns.setBusy(true);
    request(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toEqual([0]);
  });
});

describe("while the API is not busy", () => {
  test("no page waits for time", async () => {
    request(1_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toHaveLength(1_000);
  });

  test("two are made at once, of clients in turns, and each end admits one more", async () => {
    const ends = takeAll("aaaaaabc");
    await vi.advanceTimersByTimeAsync(0);
    expect(clients.join("")).toBe("aa");
    for (let ended = 0; ended < 3; ended += 1) {
      // Whoever ends twice, as a client that goes after its answer was made, admits no second one.
      ends[ended]?.();
      ends[ended]?.();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(clients.join("")).toBe("aaabc");
  });

  test("more are made while the thread has time to spare, because the first wait for the database", async () => {
    takeAll("aaaabb");
    for (let time = 0; time < 10; time += 1) {
      activeMs += 40;
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(clients.join("")).toBe("aa");
    await vi.advanceTimersByTimeAsync(150);
    expect(clients.join("")).toBe("aaaba");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(clients.join("")).toBe("aaabab");
  });
});

/** Requests a page for each client, in this order, and returns what ends the turns of those that were admitted. */
function takeAll(order: string): (() => void)[] {
  const ends: (() => void)[] = [];
  const takeOne = async (client: string) => {
    ends.push(await turns.take(client, STAYING));
    clients.push(client);
  };
  for (const client of order) {
    void takeOne(client);
  }
  return ends;
}

/** Requests this many pages for a client. Each costs its processor time as soon as it is admitted. */
function request(count: number, client = "a"): void {
  const from = admitted.length;
  for (let page = from; page < from + count; page += 1) {
    void load(page, client);
  }
}

async function load(page: number, client: string): Promise<void> {
  const endTurn = await turns.take(client, STAYING);
  usedMs += PAGE_MS;
  admitted.push(page);
  clients.push(client);
  endTurn();
}
