import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { prepareHome } from "#db/embedded-home.ts";
import type { DatabaseUser } from "#db/embedded-home.ts";
import { findFreePort } from "#db/postmaster.ts";
import { readGuideConfig } from "#test/faults/guide-config.ts";
import { launchHaproxy } from "#test/faults/haproxy.ts";
import { findSystemPostgres } from "#test/faults/system-postgres.ts";
import { stretch } from "#test/run/calibration.ts";
import { hasPackages } from "#test/run/packages.ts";
import { PatroniNode, isEtcd3Safe } from "./node.ts";
import type { Places, Replication } from "./node.ts";
import { processesIn, signalAll } from "./processes.ts";

/** Two nodes under Patroni with etcd and HAProxy, set up as docs/operations.md says. */
export interface PatroniCluster {
  /** Through HAProxy, as the role that owns the tables. */
  ownerUrl: string;
  appUrl: string;
  nodes: readonly PatroniNode[];
  /** The node that Patroni says is the primary; undefined while there is none. */
  findPrimary(): Promise<PatroniNode | undefined>;
  other(node: PatroniNode): PatroniNode;
  /** Resolves once one node is the primary and the other one its standby, synchronous unless the cluster is not. */
  untilReplicated(): Promise<void>;
  /** Has Patroni exchange primary and standby, as its operator does. */
  switchover(from: PatroniNode): void;
  /** Kills the only member of etcd. */
  killEtcd(): void;
  stop(): Promise<void>;
}

/** What `GET /cluster` of Patroni answers, as far as needed. */
interface Member {
  name: string;
  role: string;
  state: string;
}

/** A standby that runs is "running" or, for newer versions of Patroni, "streaming". */
const RUNNING = new Set(["running", "streaming"]);
const ETCD_HOST = "127.0.0.31";
const UP_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const REST_TIMEOUT_MS = 1_000;

/** Whether the cluster can be started. */
export function canStartPatroni(): boolean {
  return hasPackages("patroni", "python3-etcd", "etcd-server", "haproxy", "postgresql");
}

/** Starts the cluster under `dir`, with roles and a database as docs/operations.md creates them. */
export async function startPatroni(
  dir: string,
  replication: Replication = "synchronous",
): Promise<PatroniCluster> {
  const { user } = prepareHome(dir);
  // Whatever ends this process, nothing outlives it.
  const kill = () => signalAll(processesIn(dir), "SIGKILL");
  process.once("exit", kill);
  const [proxyPort, etcdPort] = [await findFreePort(), await findFreePort()];
  const places: Places = {
    postgresPort: await findFreePort(),
    restPort: await findFreePort(),
    etcd: `${ETCD_HOST}:${etcdPort}`,
    binaries: findSystemPostgres() ?? "",
  };
  await launchEtcd(dir, places.etcd, user);
  const place = { dir, user, places };
  const nodes = {
    db1: new PatroniNode("db1", place, replication),
    db2: new PatroniNode("db2", place, replication),
  };
  launchHaproxy(toProxyConfig(proxyPort, places), dir);
  const toUrl = (role: string, password: string, name: string) =>
    `postgres://${role}:${password}@127.0.0.1:${proxyPort}/${name}`;
  const cluster: PatroniCluster = {
    ownerUrl: toUrl("floatdeck_owner", "secret", "floatdeck"),
    appUrl: toUrl("floatdeck", "secret", "floatdeck"),
    nodes: Object.values(nodes),
    findPrimary: async () => {
      const leader = (await readMembers(Object.values(nodes))).find(
        ({ role }) => role === "leader",
      );
      return Object.values(nodes).find(
        ({ name }) => name === leader?.name && leader.state === "running",
      );
    },
    other: ({ name }) => (name === "db1" ? nodes.db2 : nodes.db1),
    untilReplicated: () => untilReplicated(Object.values(nodes), replication),
    switchover: (from) => switchover(from, cluster.other(from).name),
    killEtcd: () => signalAll(processesIn(path.join(dir, "etcd")), "SIGKILL"),
    stop: async () => {
      await endAll(dir);
      process.off("exit", kill);
      // The logs stay, for whoever wants to know what went wrong.
      for (const part of ["db1", "db2", "etcd"]) {
        rmSync(path.join(dir, part), { recursive: true, force: true });
      }
    },
  };
  try {
    // The first one initializes the cluster, and the other one copies it.
    nodes.db1.start();
    await until(async () => (await cluster.findPrimary()) !== undefined, nodes.db1);
    nodes.db2.start();
    await cluster.untilReplicated();
    await createDatabase(toUrl("postgres", "change-this-1", "postgres"));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function launchEtcd(dir: string, address: string, user: DatabaseUser | undefined) {
  const own = path.join(dir, "etcd");
  mkdirSync(own, { mode: 0o700 });
  if (user) {
    execFileSync("chown", [`${user.uid}:${user.gid}`, own]);
  }
  const peer = `http://${ETCD_HOST}:${await findFreePort()}`;
  const args = [
    "--name=etcd1",
    "--data-dir=data",
    `--listen-client-urls=http://${address}`,
    `--advertise-client-urls=http://${address}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd1=${peer}`,
    ...(isEtcd3Safe() ? [] : ["--enable-v2"]),
  ];
  spawn("etcd", args, { ...user, cwd: own, stdio: "ignore" });
}

function toProxyConfig(proxyPort: number, places: Places): string {
  const replaced = {
    "127.0.0.1:5000": `127.0.0.1:${proxyPort}`,
    "10.0.0.": "127.0.0.",
    ":5432": `:${places.postgresPort}`,
    "port 8008": `port ${places.restPort}`,
  };
  return readGuideConfig({ language: "haproxy", holding: "listen primary" }, replaced);
}

/** From whichever node answers. While none does, there are no members. */
async function readMembers(nodes: readonly PatroniNode[]): Promise<Member[]> {
  for (const { restUrl } of nodes) {
    const members = await readCluster(restUrl);
    if (members.length > 0) {
      return members;
    }
  }
  return [];
}

async function readCluster(restUrl: string): Promise<Member[]> {
  try {
    const signal = AbortSignal.timeout(REST_TIMEOUT_MS);
    const answer = await fetch(`${restUrl}/cluster`, { signal });
    const { members }: { members?: Member[] } = JSON.parse(await answer.text());
    return members ?? [];
  } catch {
    return [];
  }
}

async function untilReplicated(
  nodes: readonly PatroniNode[],
  replication: Replication,
): Promise<void> {
  const standby = replication === "synchronous" ? "sync_standby" : "replica";
  const isReplicated = async () => {
    const running = (await readMembers(nodes)).filter(({ state }) => RUNNING.has(state));
    return ["leader", standby].every((wanted) => running.some(({ role }) => role === wanted));
  };
  await until(isReplicated, ...nodes);
}

async function until(holds: () => Promise<boolean>, ...nodes: PatroniNode[]): Promise<void> {
  const deadline = performance.now() + stretch(UP_TIMEOUT_MS);
  while (!(await holds())) {
    if (performance.now() > deadline) {
      const logs = nodes.map(({ logFile }) => logFile).join(" and ");
      throw new Error(`The nodes did not become a primary with its standby; see ${logs}.`);
    }
    await sleep(POLL_MS);
  }
}

function switchover(from: PatroniNode, to: string): void {
  const args = ["switchover", "--leader", from.name, "--candidate", to, "--force", "floatdeck"];
  execFileSync("patronictl", ["-c", from.config, ...args], { stdio: "ignore" });
}

async function createDatabase(adminUrl: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await admin`create role floatdeck_owner login password 'secret'`;
    await admin`create role floatdeck login password 'secret'`;
    await admin`create database floatdeck owner floatdeck_owner`;
  } finally {
    await admin.end({ timeout: 1 });
  }
}

/** Ends every process of the cluster. Patroni may start PostgreSQL while it is being ended itself. */
async function endAll(dir: string): Promise<void> {
  let left = processesIn(dir);
  while (left.length > 0) {
    signalAll(left, "SIGKILL");
    await sleep(POLL_MS);
    left = processesIn(dir);
  }
}
