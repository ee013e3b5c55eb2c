import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle, PostgresJsDatabase, PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { requestCancel } from "./cancel-request.ts";
import type { BackendKey } from "./cancel-request.ts";
import { Turns } from "./turns.ts";
import type { Limits } from "./turns.ts";
import type { Db } from "./client.ts";
import { readLoad } from "./pool-load.ts";
import type { PoolLoad } from "./pool-load.ts";

/** One connection, used by one read at a time. */
export interface ReadSlot {
  db: Db;
  client: Sql;
  /** Cancels what the connection is running; does nothing while it runs nothing. */
  cancel(): Promise<void>;
}

/** The connections that reads share, and whose turn is next. Each connects when it is first used. */
export class ReadSlots {
  private readonly turns: Turns;
  private readonly all: readonly ReadSlot[];
  /** The last one used comes first, so that a quiet server keeps few connections busy. */
  private readonly free: ReadSlot[];
  private readonly closeTimeoutS: number;

  constructor(limits: Limits, open: () => Sql, closeTimeoutS: number) {
    this.turns = new Turns(limits);
    this.all = Array.from({ length: limits.all }, () => {
      const client = open();
      const readKey = watchKey(client);
      const cancel = async () => {
        const key = readKey();
        await (key ? requestCancel(client, key) : undefined);
      };
      return { client, db: drizzle(client), cancel };
    });
    this.free = [...this.all];
    this.closeTimeoutS = closeTimeoutS;
  }

  /** Waits for this name's turn. @throws as `Turns.enter` does. */
  async take(name: string, signal: AbortSignal): Promise<ReadSlot> {
    await this.turns.enter(name, signal);
    const slot = this.free.pop();
    if (!slot) {
      throw new Error("More turns were granted than there are connections.");
    }
    return slot;
  }

  release(name: string, slot: ReadSlot): void {
    this.free.push(slot);
    this.turns.leave(name);
  }

  /** How many are in use, how many are free, how many reads wait for one, and the round trips of all. */
  load(): PoolLoad {
    const idle = this.free.length;
    return {
      inUse: this.all.length - idle,
      idle,
      waiting: this.turns.countWaiting(),
      roundTrips: this.all.reduce((sum, { client }) => sum + readLoad(client).roundTrips, 0),
    };
  }

  /** Closes idle connections immediately and the others after a few seconds at most. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(({ client }) => client.end({ timeout: this.closeTimeoutS })));
  }
}

/** Reads the key of a client's only connection, as it was when it last sent a statement. */
function watchKey(client: Sql): () => BackendKey | undefined {
  let query: { state: BackendKey | null } | undefined;
  const send = client.unsafe.bind(client);
  const unsafe = (...statement: Parameters<Sql["unsafe"]>) => {
    const sent = send(...statement);
    // The driver notes on each query which connection has it; its types leave that out.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    query = sent as unknown as { state: BackendKey | null };
    return sent;
  };
  Object.assign(client, { unsafe });
  return () => query?.state ?? undefined;
}

const dialect = new PgDialect();

/** A database that accepts a single statement. */
export interface SingleStatement {
  db: Db;
  /** Refuses any later statement. */
  end: () => void;
}

/** Opens a slot for a single statement outside a transaction: a statement is a snapshot of its own. */
export function toSingleStatement({ client }: ReadSlot): SingleStatement {
  let refusal: string | undefined;
  const unsafe = (...statement: Parameters<Sql["unsafe"]>) => {
    if (refusal !== undefined) {
      throw new Error(refusal);
    }
    refusal = "A read of one statement sent another one: several need a snapshot.";
    return client.unsafe(...statement);
  };
  const single: Sql = Object.assign(Object.create(client), { unsafe });
  // Not `drizzle(single)`, which would configure the client again for each read.
  const session = new PostgresJsSession<Sql, Record<string, never>, Record<string, never>>(
    single,
    dialect,
    undefined,
  );
  return {
    db: new PostgresJsDatabase(dialect, session, undefined),
    end: () => {
      refusal = "A statement was sent after its read had ended.";
    },
  };
}
