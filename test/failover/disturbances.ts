import { setTimeout as sleep } from "node:timers/promises";
import type { PatroniNode } from "./node.ts";
import type { PatroniCluster } from "./patroni.ts";

/** What happens to a node, and what its operator does about it once the other one is the primary, or still is. */
export interface Disturbance {
  name: string;
  /** Which node it happens to. */
  hits: "primary" | "standby";
  inject(cluster: PatroniCluster, node: PatroniNode): Promise<void> | void;
  repair(node: PatroniNode): void;
}

const nothing = () => undefined;

/** Each of these ends with the other node as the primary. */
export const FAILOVERS: readonly Disturbance[] = [
  {
    name: "PostgreSQL is killed",
    hits: "primary",
    inject: (_, node) => node.killPostgres(),
    // Patroni starts it again as a standby.
    repair: nothing,
  },
  {
    name: "switchover",
    hits: "primary",
    inject: (cluster, node) => cluster.switchover(node),
    repair: nothing,
  },
  {
    name: "the machine dies",
    hits: "primary",
    inject: (_, node) => node.killMachine(),
    repair: (node) => node.start(),
  },
  {
    name: "the machine hangs",
    hits: "primary",
    inject: (_, node) => node.freeze(),
    repair: (node) => node.thaw(),
  },
];

const HANG_MS = 20_000;

/** The primary stays the primary. */
export const STANDBY_HANGS: Disturbance = {
  name: "the standby hangs",
  hits: "standby",
  inject: async (_, node) => {
    node.freeze();
    await sleep(HANG_MS);
  },
  repair: (node) => node.thaw(),
};

const LAG_MS = 3_000;

/** Only for a cluster that is not synchronous: the standby has not got what was acknowledged last. */
export const STANDBY_LAGS: Disturbance = {
  name: "the machine dies while its standby lags",
  hits: "primary",
  inject: async (_, node) => {
    node.stopSending();
    await sleep(LAG_MS);
    await node.killMachine();
  },
  repair: (node) => node.start(),
};
