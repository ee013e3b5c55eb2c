import fc from "fast-check";
import { expect, test } from "vitest";
import { isDomainError } from "#lib/base/errors.ts";
import { SharedPool } from "./shared-pool.ts";
import type { Room } from "./shared-pool.ts";

const MAX = 20;

/** Work in a pool that ends when it is told to, and what became of it. */
interface Work {
  name: string;
  size: number;
  room: Room;
  end(): void;
  done: Promise<unknown>;
}

function begin(pool: SharedPool, name: string): Work {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let room: Room | undefined;
  const done = pool
    .hold(name, (given) => {
      room = given;
      return ended;
    })
    .catch((error: unknown) => error);
  if (!room) {
    throw new Error("Work in a pool begins at once.");
  }
  return { name, size: 0, room, end, done };
}

function sizeOf(works: readonly Work[], name: string): number {
  return works.filter((work) => work.name === name).reduce((sum, { size }) => sum + size, 0);
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("take" as const),
    name: fc.constantFrom("a", "b", "c"),
    size: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ kind: fc.constant("end" as const), at: fc.nat() }),
);

test("while there is room anybody takes it; once there is none, only the largest holders lose", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const pool = new SharedPool(MAX, "Full.");
      let works: Work[] = [];
      const total = () => works.reduce((sum, { size }) => sum + size, 0);
      for (const each of steps) {
        if (each.kind === "end") {
          const [ending] = works.splice(each.at % Math.max(1, works.length), 1);
          ending?.end();
          await ending?.done;
          continue;
        }
        const before = new Map(["a", "b", "c"].map((name) => [name, sizeOf(works, name)]));
        const wasFull = total() + each.size > MAX;
        const work = begin(pool, each.name);
        let refused = false;
        try {
          work.room.take(each.size);
          works.push({ ...work, size: each.size });
        } catch (error) {
          expect(isDomainError(error) && error.code).toBe("overloaded");
          refused = true;
          work.end();
        }
        const evicted = works.filter(({ room }) => room.signal.aborted);
        works = works.filter(({ room }) => !room.signal.aborted);
        const largest = Math.max(...before.values());
        expect(total()).toBeLessThanOrEqual(MAX);
        if (!wasFull) {
          expect([refused, evicted]).toEqual([false, []]);
        }
        if (refused) {
          const others = ["a", "b", "c"].filter((name) => name !== each.name);
          const rest = Math.max(...others.map((name) => sizeOf(works, name)));
          expect(before.get(each.name)).toBeGreaterThanOrEqual(rest);
        }
        for (const { name, done } of evicted) {
          expect(name).not.toBe(each.name);
          expect(before.get(name)).toBeGreaterThan(before.get(each.name) ?? 0);
          expect(before.get(name)).toBeLessThanOrEqual(largest);
          expect(await done).toMatchObject({ code: "overloaded" });
        }
      }
    }),
  );
});

test("what has ended is free again, however it ended", async () => {
  const pool = new SharedPool(1, "Full.");
  const fail = pool.hold("a", (room) => {
    room.take(1);
    return Promise.reject(new Error("on purpose"));
  });
  await expect(fail).rejects.toThrow("on purpose");
  await pool.hold("a", async (room) => room.take(1));
  await pool.hold("b", async (room) => room.take(1));
});
