import path from "node:path";
import postgres from "postgres";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { createLeanFunctions } from "./baselines.ts";
import { measureBefore } from "./before.ts";
import { countBuffers } from "./buffers.ts";
import { measureCapacity } from "./capacity.ts";
import { measureCreditBytes } from "./credit-bytes.ts";
import { createFixture } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";
import { toCases, toPageCases, toScaleOutCases, warmUp } from "./cases.ts";
import type { Scene } from "./cases.ts";
import { measureFresh } from "./fresh.ts";
import { toGrowthCases } from "./growth.ts";
import { measureFirstLoadKb, measureRowBytes } from "./page-size.ts";
import { MISBEHAVIOR } from "./misbehavior-report.ts";
import { measureMisbehavior } from "./misbehavior.ts";
import { measurePgledger } from "./pgledger.ts";
import { describeMachine } from "./report.ts";
import type { Results } from "./report.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { takeTurns } from "./turns.ts";
import { measureWatched } from "./watched.ts";
import type { Turns } from "./turns.ts";
import { signIn } from "./sign-in.ts";
import { serveNext, serveNothing, serveProduct, setStage, startFresh } from "./stage.ts";
import type { Served, Stage } from "./stage.ts";

/** How much to measure, and for how long. */
export interface Extent extends Turns {
  mode: "quick" | "full";
  caseMs: number;
  growthMs: number;
  /** How long each of the two cases on each fresh data directory runs. */
  freshMs: number;
  /** The cost of metrics and traces is small, so it takes more rounds to see. */
  watched: { rounds: number; caseMs: number };
  misbehavior: { rounds: number; caseMs: number };
  large: { cards: number; transactionsPerCard: number };
  /** The path of another checkout, installed and built, to compare with this one; empty for no comparison. */
  before: string;
  /** The paths of pgledger's SQL files, in the order in which they run, to compare with it; empty for no comparison. */
  pgledger: readonly string[];
}

const DIRECTORIES = 3;
/** A server is warm once it has served for as long as this many cases run. */
const WARM_UP_CASES = 10;

/** Runs the benchmark on its own databases and servers. */
export async function runBench(extent: Extent): Promise<Results> {
  // These cases need none of the data below, so a partial run can end after them.
  const fresh = "fresh database".includes(extent.only)
    ? await measureFresh({ directories: DIRECTORIES, durationMs: extent.freshMs }, (text) =>
        extent.say(text),
      )
    : {};
  const watched = "watched".includes(extent.only)
    ? await measureWatched(extent.watched, { ...extent, rounds: extent.watched.rounds, only: "" })
    : {};
  const before = extent.before === "" ? {} : await measureBefore(extent.before, extent);
  const pgledger =
    extent.pgledger.length === 0 ? {} : await measurePgledger(extent.pgledger, extent);
  const capacity = "capacity".includes(extent.only) ? await measureCapacity(extent) : {};
  // Only when it is asked for: it takes ten minutes, at rates of its own.
  const misbehavior = extent.only.startsWith(MISBEHAVIOR)
    ? await measureMisbehavior(extent.misbehavior, {
        ...extent,
        rounds: extent.misbehavior.rounds,
      })
    : {};
  const figures = "bytes".includes(extent.only) ? await measureCreditBytes() : {};
  const apart = { ...fresh, ...watched, ...before, ...pgledger, ...capacity, ...misbehavior };
  if (extent.only !== "" && Object.keys({ ...apart, ...figures }).length > 0) {
    return {
      machine: describeMachine(),
      versions: `Node ${process.version}`,
      at: new Date().toISOString().slice(0, 10),
      mode: extent.mode,
      summaries: apart,
      figures,
      buffers: {},
    };
  }
  const results = await runOnOneDatabase(extent);
  return {
    ...results,
    summaries: { ...apart, ...results.summaries },
    figures: { ...figures, ...results.figures },
  };
}

async function runOnOneDatabase(extent: Extent): Promise<Results> {
  const stage = await setStage();
  const cleanUps: (() => Promise<void>)[] = [() => stage.destroy()];
  const keep = async (starting: Promise<Served>) => {
    const served = await starting;
    cleanUps.push(() => served.stop());
    return served;
  };
  try {
    extent.say("Starting `npm start` on an empty data directory …");
    // Start once before the measured start, so that the pages are built.
    await (await startFresh(path.join(stage.dir, "first"))).stop();
    const start = await startFresh(path.join(stage.dir, "fresh"));
    await start.stop();
    extent.say("Creating the data …");
    const made = await createData(stage, extent);
    extent.say("Checking its books …");
    await requireBalance(stage);
    const product = await keep(serveProduct(stage, "a"));
    const asked = async (fixture: Fixture) => ({
      ...fixture,
      cookies: await signIn(product, fixture),
    });
    const sizes = { small: await asked(made.small), large: await asked(made.large) };
    const scene: Scene = {
      stage,
      product,
      next: await keep(serveNext(stage)),
      nothing: await keep(serveNothing()),
      hot: await asked(made.hot),
      wide: made.wide,
      spending: made.spending,
      fifty: await asked(made.fifty),
    };
    const few = await asked(made.few);
    const summaries = {
      ...(await takeTurns(toCases(scene), extent.caseMs, extent)),
      ...(await takeTurns(toPageCases(scene), extent.caseMs, extent)),
      ...(await takeTurns(toGrowthCases(scene, sizes), extent.growthMs, extent)),
    };
    extent.say("Counting buffers …");
    const buffers = extent.only === "" ? await countBuffers(scene, sizes) : {};
    const others = [await keep(serveProduct(stage, "b")), await keep(serveProduct(stage, "c"))];
    await warmUp(others, scene, WARM_UP_CASES * extent.caseMs);
    return {
      machine: describeMachine(),
      versions: await readVersions(stage),
      at: new Date().toISOString().slice(0, 10),
      mode: extent.mode,
      summaries: {
        ...summaries,
        ...(await takeTurns(toScaleOutCases(scene, others), extent.caseMs, extent)),
      },
      figures: {
        startSeconds: start.startedInMs / 1_000,
        rowBytes: await measureRowBytes(product, { few, many: scene.fifty }),
        cardsScriptKb: await measureFirstLoadKb(product, scene.hot, "/cards"),
        overviewScriptKb: await measureFirstLoadKb(product, scene.hot, "/overview"),
        discrepancies: await countDiscrepancies(stage),
      },
      buffers,
    };
  } finally {
    for (const cleanUp of cleanUps.toReversed()) {
      await cleanUp();
    }
  }
}

async function createData(stage: Stage, { large }: Extent) {
  const made = {
    hot: await createFixture(stage, { cards: 1_000, transactionsPerCard: 1 }),
    wide: await createFixture(stage, { cards: 10_000, transactionsPerCard: 0 }),
    spending: await createFixture(stage, { cards: 10_000, transactionsPerCard: 1 }),
    few: await createFixture(stage, { cards: 25, transactionsPerCard: 2 }),
    fifty: await createFixture(stage, { cards: 50, transactionsPerCard: 2 }),
    small: await createFixture(stage, { cards: 100, transactionsPerCard: 10 }),
    large: await createFixture(stage, large),
  };
  await createLeanFunctions(stage);
  await vacuumAnalyze(stage.database);
  return made;
}

async function readVersions(stage: Stage): Promise<string> {
  const sql = postgres(stage.database.ownerUrl, { max: 1 });
  const [row] = await sql`select split_part(version(), ' ', 2) as version,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`;
  await sql.end();
  return `Node ${process.version}, PostgreSQL ${row?.["version"]} with fsync ${row?.["fsync"]} and synchronous_commit ${row?.["synchronous_commit"]}`;
}

async function countDiscrepancies(stage: Stage): Promise<number> {
  const opened = openDatabase(stage.database.localUrl, { max: 1 });
  try {
    return (await verifyBooks(opened.db)).length;
  } finally {
    await opened.close();
  }
}

/** Runs a full ledger check and stores its position, so that the server's own check continues from there. */
async function requireBalance(stage: Stage): Promise<void> {
  const opened = openDatabase(stage.database.localUrl, { max: 1 });
  try {
    const discrepancies = await checkBooks(opened.db, "full");
    if (discrepancies?.length !== 0) {
      throw new Error(`The created books do not balance: ${JSON.stringify(discrepancies)}`);
    }
  } finally {
    await opened.close();
  }
}
