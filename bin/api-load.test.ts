import { afterEach, expect, test, vi } from "vitest";
import { watchApiLoad } from "./api-load.ts";

const WORK_MS = 20;

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) {
    stop();
  }
});

test("reports once when the event loop becomes busy, and once when it no longer is", async () => {
  const reports: boolean[] = [];
  const watch = watchApiLoad((isBusy) => void reports.push(isBusy));
  stops.push(() => watch.stop());
  const work = setInterval(burn, WORK_MS);
  stops.push(() => clearInterval(work));
  await vi.waitFor(() => expect(reports).toEqual([true]), { timeout: 10_000 });
  clearInterval(work);
  await vi.waitFor(() => expect(reports).toEqual([true, false]), { timeout: 10_000 });
});

function burn(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until) {
    // Keeps the event loop busy.
  }
}
