import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseUser } from "#db/embedded-home.ts";
import { readGuideConfig } from "#test/faults/guide-config.ts";
import { processesIn, signalAll } from "./processes.ts";

/** Where the parts of a cluster listen, on loopback addresses that end like the guide's. */
export interface Places {
  postgresPort: number;
  restPort: number;
  /** As host and port. */
  etcd: string;
  /** The installed PostgreSQL. */
  binaries: string;
}

/** The guide's, or one that loses what its standby does not have yet. */
export type Replication = "synchronous" | "asynchronous";

type NodeName = "db1" | "db2";

const HOSTS: Readonly<Record<NodeName, string>> = { db1: "127.0.0.21", db2: "127.0.0.22" };
const POLL_MS = 50;

/** A machine with Patroni and PostgreSQL: every process that works below its directory. */
export class PatroniNode {
  readonly name: NodeName;
  readonly restUrl: string;
  readonly config: string;
  /** What Patroni and PostgreSQL said. */
  readonly logFile: string;
  private readonly dir: string;
  private readonly user: DatabaseUser | undefined;

  constructor(
    name: NodeName,
    place: { dir: string; user: DatabaseUser | undefined; places: Places },
    replication: Replication,
  ) {
    this.name = name;
    this.dir = path.join(place.dir, name);
    this.user = place.user;
    this.restUrl = `http://${HOSTS[name]}:${place.places.restPort}`;
    this.config = path.join(this.dir, "patroni.yml");
    this.logFile = path.join(place.dir, `${name}.log`);
    mkdirSync(this.dir, { mode: 0o700 });
    writeFileSync(this.config, toConfig(name, this.dir, { ...place.places, replication }));
    if (this.user) {
      execFileSync("chown", ["-R", `${this.user.uid}:${this.user.gid}`, this.dir]);
    }
  }

  /** Starts Patroni, which starts PostgreSQL. */
  start(): void {
    const log = openSync(this.logFile, "a");
    spawn("patroni", [this.config], {
      ...this.user,
      cwd: this.dir,
      // Patroni keeps its password file there.
      env: { ...process.env, HOME: this.dir },
      stdio: ["ignore", log, log],
    });
  }

  /** Kills PostgreSQL and not Patroni. */
  async killPostgres(): Promise<void> {
    await this.kill(() => processesIn(this.data));
  }

  /** Kills everything, as when the machine loses its power. */
  async killMachine(): Promise<void> {
    await this.kill(() => processesIn(this.dir));
  }

  /** Stops everything where it is. Its connections stay open, and nothing answers. */
  freeze(): void {
    signalAll(processesIn(this.dir), "SIGSTOP");
  }

  /** Commits go on, and the standby no longer gets them. */
  stopSending(): void {
    signalAll(processesIn(this.data).filter(isWalSender), "SIGSTOP");
  }

  thaw(): void {
    signalAll(processesIn(this.dir), "SIGCONT");
  }

  private get data(): string {
    return path.join(this.dir, "data");
  }

  /** A process may start another one before it dies itself, so this asks again until none is left. */
  private async kill(find: () => number[]): Promise<void> {
    const first = find();
    signalAll(first, "SIGKILL");
    while (find().some((pid) => first.includes(pid))) {
      await sleep(POLL_MS);
    }
  }
}

/**
 * Patroni before 3.0.3 lets a primary that hung take its lock back from its successor, though only with version 3 of etcd's
 * interface. For those, the guide names the other one.
 */
export function isEtcd3Safe(): boolean {
  const { stdout } = spawnSync("patroni", ["--version"], { encoding: "utf8" });
  return !/ (?:[12]\.|3\.0\.[0-2]\b)/u.test(stdout);
}

function toConfig(
  name: NodeName,
  dir: string,
  places: Places & { replication: Replication },
): string {
  const replaced = {
    "10.0.0.0/24": "127.0.0.0/8",
    "10.0.0.21": HOSTS[name],
    ":5432": `:${places.postgresPort}`,
    ":8008": `:${places.restPort}`,
    "10.0.0.31:2379,10.0.0.32:2379,10.0.0.33:2379": places.etcd,
    "/var/lib/postgresql/15/floatdeck": path.join(dir, "data"),
    "/usr/lib/postgresql/15": places.binaries,
    "/run/postgresql": dir,
    "name: db1": `name: ${name}`,
    "etcd3:": isEtcd3Safe() ? "etcd3:" : "etcd:",
    "synchronous_mode: true": `synchronous_mode: ${places.replication === "synchronous"}`,
  };
  return readGuideConfig({ language: "yaml", holding: "scope: floatdeck" }, replaced);
}

function isWalSender(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("walsender");
  } catch {
    // It ended by itself.
    return false;
  }
}
