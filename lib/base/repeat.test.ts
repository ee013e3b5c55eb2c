import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repeat } from "#lib/base/repeat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work is done once per period, but not while it is still being done, and no more once it is stopped", async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>().mockReturnValueOnce(slow).mockResolvedValue();
  const repeated = repeat(1_000, "It failed.", work);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(work).toHaveBeenCalledTimes(1);
  end();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(3);
  repeated.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test("work that fails is done again", async () => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error("Once."));
  const repeated = repeat(1_000, "It failed.", work);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(work).toHaveBeenCalledTimes(2);
  repeated.stop();
});
