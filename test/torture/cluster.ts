import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { prepareHome } from "#db/embedded-home.ts";
import type { DatabaseHome } from "#db/embedded-home.ts";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { controlDatabase, databaseProcesses } from "#test/faults/rig.ts";
import { Switchboard } from "#test/faults/switchboard.ts";
import { toShiftedEnvironment } from "./database-clock.ts";
import { startMembers } from "./members.ts";
import type { Members } from "./members.ts";
import { SERVERS, WORKERS } from "./schedule.ts";

/** Three servers and two workers on one real PostgreSQL, all of which a test may kill, freeze, or disconnect. */
export interface Cluster extends Members {
  home: DatabaseHome;
  ownerUrl: string;
  appUrl: string;
  /** The environment of its PostgreSQL when it is started again. */
  databaseEnvironment: Readonly<Record<string, string>>;
  /** Restarts PostgreSQL with its clock this many days ahead of the machine's. */
  setDatabaseAhead(days: number): void;
  /** The processes of PostgreSQL. */
  databaseProcesses(): number[];
  /** Closes all connections to the database. */
  cut(): void;
  stop(): Promise<void>;
}

/** @param program how a server is started. */
export async function startCluster(program: readonly string[]): Promise<Cluster> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-torture-"));
  chmodSync(dir, 0o755);
  const database = await startEmbedded(dir);
  await migrate(database.ownerUrl, database.appRole);
  const board = new Switchboard();
  const appUrl = await board.lay(database.appUrl);
  const stop = async () => {
    board.close();
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const urls = { appUrl, ownerUrl: database.ownerUrl };
    const wanted = { servers: SERVERS, workers: WORKERS, program };
    const members = await startMembers(dir, urls, wanted);
    const home = prepareHome(dir);
    const cluster: Cluster = {
      ...members,
      home,
      ownerUrl: database.ownerUrl,
      appUrl,
      databaseEnvironment: {},
      setDatabaseAhead: (days) => {
        cluster.databaseEnvironment = toShiftedEnvironment(days);
        controlDatabase(cluster, "restart", "-m", "fast");
      },
      databaseProcesses: () => databaseProcesses({ home }),
      cut: () => board.leadTo(database.appUrl),
      stop: async () => {
        members.kill();
        await stop();
      },
    };
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}
