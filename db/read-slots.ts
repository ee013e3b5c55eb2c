import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle, PostgresJsDatabase, PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { requestCancel } from "./cancel-request.ts";
import type { BackendKey } from "./cancel-request.ts";
import { Turns } from "./turns.ts";
import type { Limits } from "./turns.ts";
import { readLoad } from "./pool-load.ts";
import type { PoolLoad } from "./pool-load.ts";
import { timeLimit } from "./time-limits.ts";

/** A connection is not joined once its oldest read has taken this long; a quick one takes about 1 ms. */
const QUICK_MS = 5;

/** One connection, used by one read at a time, or by quick reads that share it. */
export interface ReadSlot {
  db: PostgresJsDatabase;
  client: Sql;
  /** Cancels what the connection is running; does nothing while it runs nothing. */
  cancel(): Promise<void>;
  /** When the reads that use it now began, oldest first, as `performance.now()`. */
  begun: number[];
}

/** The connections that reads share, and whose turn is next. Each connects when it is first used. */
export class ReadSlots {
  private readonly turns: Turns;
  private readonly all: readonly ReadSlot[];
  /** The last one used comes first, so that a quiet server keeps few connections busy. */
  private readonly free: ReadSlot[];
  /** The connection that each name's quick reads share. */
  private readonly shared = new Map<string, ReadSlot>();

  constructor(limits: Limits, open: () => Sql) {
    this.turns = new Turns(limits);
    this.all = Array.from({ length: limits.all }, () => {
      const client = open();
      const readKey = watchKey(client);
      const cancel = async () => {
        const key = readKey();
        await (key ? requestCancel(client, key) : undefined);
      };
      return { client, db: drizzle(client), cancel, begun: [] };
    });
    this.free = [...this.all];
  }

  /** Waits for this name's turn, and takes a connection that nobody else uses. @throws as `Turns.enter` does. */
  async take(name: string, signal: AbortSignal): Promise<ReadSlot> {
    await this.turns.enter(name, signal);
    return this.takeFree();
  }

  /**
   * Waits for this name's turn; the connection is shared with the name's other quick reads. The driver sends their
   * statements in one write, and PostgreSQL runs one after another. A read that turns out to be slow is not joined.
   * @throws as `Turns.enter` does.
   */
  async join(name: string, signal: AbortSignal): Promise<ReadSlot> {
    await this.turns.enter(name, signal);
    const shared = this.shared.get(name);
    const now = performance.now();
    if (shared && now - (shared.begun[0] ?? now) < QUICK_MS) {
      shared.begun.push(now);
      return shared;
    }
    const slot = this.takeFree();
    this.shared.set(name, slot);
    return slot;
  }

  /** Ends a read's use of its connection. Those that share one end in the order in which they began. */
  release(name: string, slot: ReadSlot): void {
    slot.begun.shift();
    if (slot.begun.length === 0) {
      this.free.push(slot);
      if (this.shared.get(name) === slot) {
        this.shared.delete(name);
      }
    }
    this.turns.leave(name);
  }

  /** There is always one: no more turns are granted than there are connections. */
  private takeFree(): ReadSlot {
    const slot = this.free.pop();
    if (!slot) {
      throw new Error("More turns were granted than there are connections.");
    }
    slot.begun.push(performance.now());
    return slot;
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
    const timeout = timeLimit("poolClose") / 1_000;
    await Promise.all(this.all.map(({ client }) => client.end({ timeout })));
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
  db: PostgresJsDatabase;
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
