import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDomainError } from "#lib/base/errors.ts";
import { SharedPool } from "./shared-pool.ts";
import type { Room } from "./shared-pool.ts";

const MAX = 20;
const NAMES = ["a", "b", "c"];

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
    name: fc.constantFrom(...NAMES),
    size: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ kind: fc.constant("end" as const), at: fc.nat() }),
);

/** A pool of three holders as seen from outside. */
class Scene {
  readonly faults: string[] = [];
  private readonly pool = new SharedPool(MAX, "Full.");
  private works: Work[] = [];

  async end(at: number): Promise<void> {
    const [work] = this.works.splice(at % Math.max(1, this.works.length), 1);
    work?.end();
    await work?.done;
  }

  take(name: string, size: number): void {
    const before = new Map(NAMES.map((each) => [each, sizeOf(this.works, each)]));
    const own = before.get(name) ?? 0;
    const hadRoom = this.total() + size <= MAX;
    const work = begin(this.pool, name);
    const isTaken = take(work, size);
    this.works.push(...(isTaken ? [{ ...work, size }] : []));
    const evicted = this.works.filter(({ room }) => room.signal.aborted);
    this.works = this.works.filter(({ room }) => !room.signal.aborted);
    const rest = Math.max(
      ...NAMES.filter((each) => each !== name).map((each) => sizeOf(this.works, each)),
    );
    this.require(this.total() <= MAX, "more was taken than there is");
    this.require(
      !hadRoom || (isTaken && evicted.length === 0),
      "somebody lost while there was room",
    );
    this.require(isTaken || own + size >= rest, "somebody was refused who would have less");
    this.require(
      evicted.every((each) => (before.get(each.name) ?? 0) > own + size),
      "somebody lost to a holder of no less",
    );
  }

  private total(): number {
    return this.works.reduce((sum, { size }) => sum + size, 0);
  }

  private require(isKept: boolean, fault: string): void {
    if (!isKept) {
      this.faults.push(fault);
    }
  }
}

function take({ room, end }: Work, size: number): boolean {
  try {
    room.take(size);
    return true;
  } catch (error) {
    end();
    return isDomainError(error) && error.code !== "overloaded";
  }
}

test("while there is room anybody takes it; once there is none, only the largest holders lose", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const scene = new Scene();
      for (const each of steps) {
        await (each.kind === "end" ? scene.end(each.at) : scene.take(each.name, each.size));
      }
      expect(scene.faults).toEqual([]);
    }),
  );
});

test("work that loses its room ends at once, as a refusal", async () => {
  const pool = new SharedPool(2, "Full.");
  const large = [begin(pool, "a"), begin(pool, "a")];
  const small = begin(pool, "b");
  for (const { room } of [...large, small]) {
    room.take(1);
  }
  expect(large.map(({ room }) => room.signal.aborted)).toEqual([false, true]);
  expect(await large[1]?.done).toMatchObject({ code: "overloaded", detail: "Full." });
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
