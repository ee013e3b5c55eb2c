import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CpuBudget, watchApiLoad } from "./pages-yield.ts";

const ALLOWANCE = { processors: 0.25, burstMs: 250 };
const PAGE_MS = 30;
const WORK_MS = 20;

let usedMs: number;
let admitted: number[];
/** Who each of them was served to. */
let clients: string[];
let budget: CpuBudget;

beforeEach(() => {
  vi.useFakeTimers();
  usedMs = 1_000;
  admitted = [];
  clients = [];
  budget = new CpuBudget(ALLOWANCE, () => usedMs);
});

afterEach(() => void vi.useRealTimers());

describe("while the API is busy", () => {
  beforeEach(() => budget.setBusy(true));

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
    budget.setBusy(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toHaveLength(100);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(admitted).toHaveLength(100);
  });

  test("what pages took while it was not busy is not held against them", async () => {
    budget.setBusy(false);
    usedMs += 60_000;
    budget.setBusy(true);
    request(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted).toEqual([0]);
  });
});

test("while the API is not busy, no page waits", async () => {
  request(1_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(admitted).toHaveLength(1_000);
});

test("the API reports once when its event loop becomes busy, and once when it no longer is", async () => {
  vi.useRealTimers();
  const reports: boolean[] = [];
  const watch = watchApiLoad((isBusy) => void reports.push(isBusy));
  const work = setInterval(burn, WORK_MS);
  try {
    await vi.waitFor(() => expect(reports).toEqual([true]), { timeout: 10_000 });
    clearInterval(work);
    await vi.waitFor(() => expect(reports).toEqual([true, false]), { timeout: 10_000 });
  } finally {
    clearInterval(work);
    watch.stop();
  }
});

function burn(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until) {
    // Keeps the event loop busy.
  }
}

/** Requests this many pages for a client. Each costs its processor time as soon as it is admitted. */
function request(count: number, client = "a"): void {
  const from = admitted.length;
  for (let page = from; page < from + count; page += 1) {
    void load(page, client);
  }
}

async function load(page: number, client: string): Promise<void> {
  await budget.admission(client);
  usedMs += PAGE_MS;
  admitted.push(page);
  clients.push(client);
}
