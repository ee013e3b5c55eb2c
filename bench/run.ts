import path from "node:path";
import postgres from "postgres";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { createLeanFunctions } from "./baselines.ts";
import { createFixture, signIn } from "./fixture.ts";
import { toCases } from "./cases.ts";
import type { Case, Scene } from "./cases.ts";
import { measureFresh } from "./fresh.ts";
import { toGrowthCases } from "./growth.ts";
import { summarize } from "./measure.ts";
import type { Sample, Summary } from "./measure.ts";
import { describeMachine } from "./report.ts";
import type { Results } from "./report.ts";
import { settle } from "./scaled-books.ts";
import { serveNext, serveNothing, serveProduct, setStage, startFresh } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** How much of it. */
export interface Extent {
  mode: "quick" | "full";
  rounds: number;
  caseMs: number;
  growthMs: number;
  /** Each of three fresh data directories is measured for so long, twice. */
  freshMs: number;
  large: { cards: number; transactionsPerCard: number };
  /** Only the cases whose names hold this. */
  only: string;
  say(text: string): void;
}

const WARM_UP_MS = 1_000;

const DIRECTORIES = 3;

/** Measures everything on databases and servers of its own. */
export async function runBench(extent: Extent): Promise<Results> {
  // They need no other data: of part of the cases, they are measured by themselves.
  const fresh = "fresh database".includes(extent.only)
    ? await measureFresh({ directories: DIRECTORIES, durationMs: extent.freshMs }, (text) =>
        extent.say(text),
      )
    : {};
  if (extent.only !== "" && Object.keys(fresh).length > 0) {
    return {
      machine: describeMachine(),
      versions: `Node ${process.version}`,
      at: new Date().toISOString().slice(0, 10),
      mode: extent.mode,
      summaries: fresh,
      startMs: Number.NaN,
      misses: Number.NaN,
    };
  }
  const results = await runOnOneDatabase(extent);
  return { ...results, summaries: { ...fresh, ...results.summaries } };
}

async function runOnOneDatabase(extent: Extent): Promise<Results> {
  const stage = await setStage();
  const cleanUps: (() => Promise<void>)[] = [() => stage.destroy()];
  try {
    extent.say("Starting `npm start` on an empty data directory …");
    // Once before, so that what is measured finds the pages built.
    await (await startFresh(path.join(stage.dir, "first"))).stop();
    const fresh = await startFresh(path.join(stage.dir, "fresh"));
    await fresh.stop();
    extent.say("Making the data …");
    const hot = await createFixture(stage, { cards: 1_000, transactionsPerCard: 1 });
    const wide = await createFixture(stage, { cards: 10_000, transactionsPerCard: 0 });
    const spending = await createFixture(stage, { cards: 10_000, transactionsPerCard: 1 });
    const small = await createFixture(stage, { cards: 100, transactionsPerCard: 10 });
    const large = await createFixture(stage, extent.large);
    await createLeanFunctions(stage);
    await settle(stage.database);
    extent.say("Checking the books of it …");
    await requireBalance(stage);
    const product = await serveProduct(stage);
    cleanUps.push(() => product.stop());
    const next = await serveNext(stage);
    cleanUps.push(() => next.stop());
    const nothing = await serveNothing();
    cleanUps.push(() => nothing.stop());
    const sizes = {
      small: { ...small, cookies: await signIn(product, small) },
      large: { ...large, cookies: await signIn(product, large) },
    };
    const scene: Scene = {
      stage,
      product,
      next,
      nothing,
      hot: { ...hot, cookies: await signIn(product, hot) },
      wide,
      spending,
    };
    const summaries = {
      ...(await takeTurns(toCases(scene), extent.caseMs, extent)),
      ...(await takeTurns(toGrowthCases(scene, sizes), extent.growthMs, extent)),
    };
    return {
      machine: describeMachine(),
      versions: await readVersions(stage),
      at: new Date().toISOString().slice(0, 10),
      mode: extent.mode,
      summaries,
      startMs: fresh.startedInMs,
      misses: await countMisses(stage),
    };
  } finally {
    for (const cleanUp of cleanUps.toReversed()) {
      await cleanUp();
    }
  }
}

/** Round after round, so that whatever else the machine does meets all cases alike. The first round warms up. */
async function takeTurns(
  cases: readonly Case[],
  durationMs: number,
  extent: Extent,
): Promise<Record<string, Summary>> {
  const { rounds, only } = extent;
  const samples = new Map<string, Sample[]>();
  const wanted = cases.filter(({ name }) => name.includes(only));
  for (let round = 0; round <= rounds; round += 1) {
    extent.say(
      round === 0 ? `Warming up ${wanted.length} cases …` : `Round ${round} of ${rounds} …`,
    );
    for (const each of wanted) {
      const sample = await each.run(round === 0 ? Math.min(WARM_UP_MS, durationMs) : durationMs);
      if (round > 0) {
        samples.set(each.name, [...(samples.get(each.name) ?? []), sample]);
      }
    }
  }
  return Object.fromEntries([...samples].map(([name, taken]) => [name, summarize(taken)]));
}

async function readVersions(stage: Stage): Promise<string> {
  const sql = postgres(stage.database.ownerUrl, { max: 1 });
  const [row] = await sql`select split_part(version(), ' ', 2) as version,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`;
  await sql.end();
  return `Node ${process.version}, PostgreSQL ${row?.["version"]} with fsync ${row?.["fsync"]} and synchronous_commit ${row?.["synchronous_commit"]}`;
}

async function countMisses(stage: Stage): Promise<number> {
  const opened = openDatabase(stage.database.appUrl, { max: 1 });
  try {
    return (await verifyBooks(opened.db)).length;
  } finally {
    await opened.close();
  }
}

/** As the server would: its own check, every minute, begins where this one ends. */
async function requireBalance(stage: Stage): Promise<void> {
  const opened = openDatabase(stage.database.appUrl, { max: 1 });
  try {
    const misses = await checkBooks(opened.db, "full");
    if (misses?.length !== 0) {
      throw new Error(`The books that were made do not balance: ${JSON.stringify(misses)}`);
    }
  } finally {
    await opened.close();
  }
}
