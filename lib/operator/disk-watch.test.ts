import { afterEach, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { whileFull } from "#test/database/broken-database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { log } from "#lib/base/log.ts";
import { startDiskWatch, toDiskWarning } from "#lib/operator/disk-watch.ts";
import { listWarnings } from "#lib/operator/warnings.ts";

const WARNING = /^The database's disk is full \(53100\)/u;
const MINUTE_MS = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

test("a full disk is warned of once while it lasts, and again if it comes back", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const countWarnings = () =>
    warned.mock.calls.filter(([said]) => WARNING.test(String(said))).length;
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  const credit = () =>
    call("PATCH /cards/credit/balance", {
      key: integrator.apiKey,
      body: { card_id: card.id, amount: 1 },
    });
  const watch = startDiskWatch();
  vi.useFakeTimers({ toFake: ["performance"] });
  expect((await credit()).status).toBe(200);
  expect([countWarnings(), toDiskWarning()]).toEqual([0, null]);
  await whileFull(async () => {
    expect([(await credit()).status, (await credit()).status]).toEqual([503, 503]);
    expect(countWarnings()).toBe(1);
    expect(listWarnings({ isReadOnly: false })).toContainEqual(expect.stringMatching(WARNING));
    vi.advanceTimersByTime(MINUTE_MS);
    expect(toDiskWarning()).toBeNull();
    await credit();
    expect(countWarnings()).toBe(2);
  });
  watch.stop();
});
