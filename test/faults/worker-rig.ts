import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { toTestEvent } from "#lib/webhooks/endpoints.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { newId } from "#lib/base/ids.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { createEndpoint } from "#lib/webhooks/further-endpoints.ts";
import type { FurtherEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { prepareHome } from "#db/embedded-home.ts";
import type { DatabaseHome } from "#db/embedded-home.ts";
import { inTransaction } from "#db/transaction.ts";
import { toBundle } from "../../bin/bundle.mjs";
import { startCluster } from "./cluster.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** A real PostgreSQL with pending notifications and any number of real worker processes, without a server. */
export interface WorkerRig {
  db: Db;
  home: DatabaseHome;
  /** Resolves when the worker has begun. */
  startWorker(environment?: Readonly<Record<string, string>>): Promise<ChildProcess>;
  /** An integrator that is notified at this address. */
  newTenant(webhookUrl: string): Promise<string>;
  /** An endpoint beside that address. */
  addEndpoint(
    integratorId: string,
    made: Pick<FurtherEndpoint, "webhookUrl" | "events">,
  ): Promise<void>;
  /** Records an event with this name. @returns its id. */
  recordNamed(integratorId: string, event: EventName): Promise<string>;
  /** Records this many events of an integrator in one transaction. */
  record(integratorId: string, count: number): Promise<string[]>;
  sweep(): Promise<Discrepancy[]>;
  stop(): Promise<void>;
}

export async function startWorkerRig(): Promise<WorkerRig> {
  const { dir, database } = await startCluster();
  const opened = openDatabase(database.appUrl);
  const workers: ChildProcess[] = [];
  return {
    db: opened.db,
    home: prepareHome(dir),
    startWorker: async (environment) => {
      const child = spawn(process.execPath, [toBundle("worker.ts")], {
        cwd: ROOT,
        env: { ...process.env, DATA_DIR: dir, DATABASE_URL: database.appUrl, ...environment },
        stdio: ["ignore", "pipe", "inherit"],
      });
      workers.push(child);
      await once(child.stdout, "data");
      return child;
    },
    newTenant: (webhookUrl) => newTenant(opened.db, webhookUrl),
    addEndpoint: (integratorId, made) => addEndpoint(opened.db, integratorId, made),
    recordNamed: (integratorId, event) => recordNamed(opened.db, integratorId, event),
    record: (integratorId, count) => recordTests(opened.db, integratorId, count),
    sweep: () => verifyBooks(opened.db),
    stop: async () => {
      for (const worker of workers) {
        worker.kill("SIGKILL");
      }
      await opened.close();
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function newTenant(db: Db, webhookUrl: string): Promise<string> {
  const { account } = await inTransaction(db, (tx) =>
    registerIntegrator(
      {
        tx,
        request: { id: newId(), address: null, agent: "fault" },
        environment: "sandbox",
        vouched: true,
      },
      {
        businessName: "Northwind",
        businessAddress: "1 Harbour Street",
        contactNumber: "+15550100",
        country: "US",
        domain: "northwind.example",
        email: `${newId()}@example.com`,
        firstName: "Ada",
        lastName: "Winter",
        passwordHash: "$argon2id$none",
        registrationNumber: "12345",
        webhookUrl,
        currency: "USD",
      },
    ),
  );
  return account.id;
}

async function addEndpoint(
  db: Db,
  integratorId: string,
  made: Pick<FurtherEndpoint, "webhookUrl" | "events">,
): Promise<void> {
  const actor = { integratorId, ref: toCause().actor };
  const request = { id: newId(), address: null, agent: null };
  await inTransaction(db, (tx) =>
    createEndpoint(
      { tx, actor, request },
      { ...made, format: "event", headers: { "X-Team": "fault" } },
    ),
  );
}

async function recordNamed(db: Db, integratorId: string, event: EventName): Promise<string> {
  const [id = ""] = await inTransaction(db, (tx) =>
    recordAccountEvents(tx, { integratorId, apiVersion: "0.5.0" }, [
      { ...toTestEvent(integratorId, toCause()), event },
    ]),
  );
  return id;
}

function toCause() {
  return {
    actor: { type: "system" as const, id: null, name: "Fault" },
    requestId: newId(),
  };
}

/** Records this many test events of an integrator in one transaction. */
export function recordTests(db: Db, integratorId: string, count: number): Promise<string[]> {
  const by = toCause();
  return inTransaction(db, (tx) =>
    recordAccountEvents(
      tx,
      { integratorId, apiVersion: "0.5.0" },
      Array.from({ length: count }, () => toTestEvent(integratorId, by)),
    ),
  );
}
