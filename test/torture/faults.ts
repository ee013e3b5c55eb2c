import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { fillTable } from "#test/database/full-disk.ts";
import { controlDatabase, killDatabase } from "#test/faults/rig.ts";
import type { Cluster } from "./cluster.ts";
import type { Member } from "./members.ts";
import type { Fault } from "./schedule.ts";

/** Makes a fault happen, and ends it. */
export async function inflict(
  cluster: Cluster,
  { kind, number, lastsMs }: Fault,
  jumpClocks: () => Promise<void>,
): Promise<void> {
  const server = cluster.servers[number];
  const worker = cluster.workers[number];
  const acts: Record<Fault["kind"], () => Promise<void>> = {
    "kill server": () => kill(server, lastsMs),
    "freeze server": () => freeze(server, lastsMs),
    "kill worker": () => kill(worker, lastsMs),
    "freeze worker": () => freeze(worker, lastsMs),
    "cut connections": async () => cluster.cut(),
    "kill database": async () => {
      await killDatabase(cluster);
      await sleep(lastsMs);
      controlDatabase(cluster, "restart");
    },
    "restart database": async () => controlDatabase(cluster, "restart", "-m", "fast"),
    "jump clocks": jumpClocks,
    "fill disk": () => fillDisk(cluster, lastsMs),
  };
  await acts[kind]();
}

async function kill(member: Member | undefined, lastsMs: number): Promise<void> {
  member?.kill();
  await sleep(lastsMs);
  member?.start();
}

async function freeze(member: Member | undefined, lastsMs: number): Promise<void> {
  member?.signal("SIGSTOP");
  await sleep(lastsMs);
  member?.signal("SIGCONT");
}

/** What PostgreSQL answers when it can write no further entry. */
async function fillDisk({ ownerUrl }: Cluster, lastsMs: number): Promise<void> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner.unsafe(fillTable("entries"));
    await sleep(lastsMs);
    await owner`drop trigger full_disk on entries`;
  } finally {
    await owner.end({ timeout: 1 });
  }
}
