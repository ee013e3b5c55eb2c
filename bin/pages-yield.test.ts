import { expect, test, vi } from "vitest";
import { watchApiLoad } from "./pages-yield.ts";

const WORK_MS = 20;

test("the API reports once when its event loop becomes busy, and once when it no longer is", async () => {
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
