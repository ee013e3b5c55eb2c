import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { COMMITTING } from "#test/scene/declared-pairs.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { changeUnguarded, newScene, send } from "#test/scene/scene.ts";
import type { Scene } from "#test/scene/scene.ts";
import { withTimeLimits } from "#db/time-limits.ts";

const LIMITS = { commit: 500, outcome: 500 } as const;
/** Longer than the commit and the check of its outcome may take. */
const COMMIT_S = 8;

test("a commit whose outcome cannot be determined in time is answered as unknown, for every kind of operation", async () => {
  const processorKey = await newProcessorKey();
  const scenes = await Promise.all(COMMITTING.map(() => newScene(processorKey)));
  // The database does not finish these commits in time: their deferred triggers take too long.
  await changeUnguarded(sql`
    create function dawdle() returns trigger language plpgsql as $$
    begin perform pg_sleep(${sql.raw(String(COMMIT_S))}); return null; end $$`);
  for (const table of ["events", "audit_log"]) {
    await changeUnguarded(sql`
      create constraint trigger dawdle after insert on ${sql.identifier(table)} deferrable initially deferred
      for each row execute function dawdle()`);
  }
  const replies = await withTimeLimits(LIMITS, () => Promise.all(scenes.map(commit)));
  expect(replies).toEqual(COMMITTING.map((id) => [id, 503, "outcome_unknown"]));
});

async function commit(scene: Scene, index: number): Promise<unknown[]> {
  const id = COMMITTING[index] ?? "";
  const { status, json } = await send(scene, id, id === "registerUser" ? { at: scene.id } : {});
  return [id, status, (json as { code: string }).code];
}
