import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const NAMES = ["a", "b"] as const;

const work = fc.record({
  name: fc.constantFrom(...NAMES),
  /** In turns of the event loop. */
  before: fc.nat(3),
  takes: fc.nat(3),
  fails: fc.boolean(),
});

test("work of a name is done in order, one at a time, whatever became of the work before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 40 }), async (works) => {
      const turns = new Turns("Full.");
      const seen = { a: [] as string[], b: [] as string[] };
      const done: Promise<unknown>[] = [];
      for (const [order, { name, before, takes, fails }] of works.entries()) {
        await pass(before);
        const turn = turns.take(name, async () => {
          seen[name].push(`${order} begins`);
          await pass(takes);
          seen[name].push(`${order} ends`);
          if (fails) {
            throw new Error(String(order));
          }
          return order;
        });
        done.push(turn.catch((error: unknown) => error));
      }
      const outcomes = await Promise.all(done);
      const expected = works.map(({ fails }, order) => (fails ? new Error(String(order)) : order));
      expect(outcomes).toEqual(expected);
      for (const name of NAMES) {
        const orders = [...works.keys()].filter((order) => works[order]?.name === name);
        expect(seen[name]).toEqual(orders.flatMap((order) => [`${order} begins`, `${order} ends`]));
      }
    }),
  );
});

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await setImmediate();
  }
}
