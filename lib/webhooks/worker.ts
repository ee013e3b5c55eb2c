import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from "node:timers/promises";
import { attempt } from "#lib/webhooks/attempt.ts";
import { claimDue } from "#lib/webhooks/claim.ts";
import type { Claim } from "#lib/webhooks/claim.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { beat, HEARTBEAT_MS, releaseClaims, releaseDead } from "#lib/webhooks/liveness.ts";
import { recordTries } from "#lib/webhooks/record.ts";
import type { Tried } from "#lib/webhooks/record.ts";
import { ensureEndpoints } from "#lib/webhooks/endpoints.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { onWake } from "#lib/base/wake.ts";
import type { Db } from "#db/client.ts";

/** A worker that sends notifications. */
export interface RunningWorker {
  /** Claims nothing more, lets the tries in flight end and be recorded, and gives back what is left. */
  stop(): Promise<void>;
}

/** What a worker needs of a pool of its own: one statement at a time, and its heartbeat beside. */
export const WORKER_CONNECTIONS = 2;

/** Tries at a time in one worker. Each may hold 64 KiB of an answer. */
const IN_FLIGHT_MAX = 256;

/** Beyond so many only endpoints that have none in flight get another try: those that hang must leave room for the others. */
const CROWDED = 128;

/** Turns begin at least this far apart, so that commits and answers that come in quick succession share one. */
const TURN_MS = 20;

/** Tries begun at a time before whatever else the process does has its turn. */
const BEGUN_TOGETHER = 16;

/** How often a worker looks that nobody wakes, spread so that several do not look together. */
const POLL_MS = 500;
const POLL_SPREAD = 0.2;
const DRAIN_MAX_MS = 20_000;

/** Starts a worker on this database. Any number may run, in any number of processes. */
export function startWorker(db: Db, policy: EndpointPolicy): RunningWorker {
  const worker = new Worker(db, policy);
  const running = worker.run();
  return {
    stop: async () => {
      worker.beginStopping();
      await Promise.race([running, sleep(DRAIN_MAX_MS, undefined, { ref: false })]);
      await worker.abandon();
    },
  };
}

/**
 * One loop that does everything with the database, one statement after another: it writes down what has ended, claims
 * what is due, and rests until a commit or a try that ends wakes it, or until it is time to look. Sending happens beside.
 */
class Worker {
  private readonly id = newId();
  private readonly db: Db;
  private readonly policy: EndpointPolicy;
  private readonly forget: () => void;
  private readonly abort = new AbortController();
  private readonly sending = new Set<Promise<void>>();
  private ended: Tried[] = [];
  private after: string | null = null;
  private isStopping = false;
  private isAwake = false;
  private lookedForDeadAt = Number.NEGATIVE_INFINITY;
  private readonly heart: NodeJS.Timeout;
  private beating: Promise<void> | undefined;
  private rouse: () => void = () => undefined;

  constructor(db: Db, policy: EndpointPolicy) {
    this.db = db;
    this.policy = policy;
    this.forget = onWake(() => this.wake());
    // Beside the loop, whose statements may take their time.
    this.heart = setInterval(() => {
      this.beating = this.sayAlive();
    }, HEARTBEAT_MS).unref();
  }

  async run(): Promise<void> {
    let isReady = false;
    while (!this.isDone()) {
      this.isAwake = false;
      try {
        if (!isReady) {
          await beat(this.db, this.id);
          await ensureEndpoints(this.db);
          isReady = true;
        }
        const begun = performance.now();
        const hasMore = await this.turn();
        await (hasMore ? undefined : this.rest());
        await sleep(Math.max(0, TURN_MS - (performance.now() - begun)));
      } catch (error) {
        log.error({ err: error }, "Notifications could not be claimed or recorded; trying again.");
        await sleep(POLL_MS);
      }
    }
  }

  beginStopping(): void {
    this.isStopping = true;
    this.forget();
    this.wake();
  }

  /** Ends whatever is still being tried and gives it back; for when there is no more time. */
  async abandon(): Promise<void> {
    this.abort.abort(new Error("The worker is stopping."));
    await Promise.all(this.sending);
    this.ended = [];
    clearInterval(this.heart);
    await this.beating;
    await releaseClaims(this.db, this.id).catch((error: unknown) => {
      log.error({ err: error }, "Claims could not be given back; they run out by themselves.");
    });
  }

  private async sayAlive(): Promise<void> {
    try {
      await beat(this.db, this.id);
    } catch (error) {
      log.warn({ err: error }, "A worker could not say that it lives.");
    }
  }

  private isDone(): boolean {
    const isIdle = this.sending.size === 0 && this.ended.length === 0;
    return this.abort.signal.aborted || (this.isStopping && isIdle);
  }

  private wake(): void {
    this.isAwake = true;
    this.rouse();
  }

  /** @returns whether there may be more to do at once. */
  private async turn(): Promise<boolean> {
    await this.recordEnded();
    await this.releaseDead();
    const room = IN_FLIGHT_MAX - this.sending.size;
    if (this.isStopping || room === 0) {
      return false;
    }
    const { claims, after } = await claimDue(this.db, {
      workerId: this.id,
      room,
      roomForFurther: Math.max(0, CROWDED - this.sending.size),
      after: this.after,
    });
    this.after = after;
    for (const [index, claim] of claims.entries()) {
      if (index > 0 && index % BEGUN_TOGETHER === 0) {
        await nextTurnOfTheLoop();
      }
      this.begin(claim);
    }
    return claims.length > 0 || after !== null;
  }

  /** Others that died, now and then. */
  private async releaseDead(): Promise<void> {
    if (performance.now() - this.lookedForDeadAt < POLL_MS) {
      return;
    }
    this.lookedForDeadAt = performance.now();
    await releaseDead(this.db);
  }

  /** What cannot be written is kept and tried again, until its claim has run out and somebody else sends it anew. */
  private async recordEnded(): Promise<void> {
    const tries = this.ended;
    this.ended = [];
    try {
      await recordTries(this.db, this.id, tries);
    } catch (error) {
      this.ended.push(...tries.filter(({ claim }) => !hasRunOut(claim)));
      throw error;
    }
  }

  private begin(claim: Claim): void {
    const trying = attempt(claim, this.policy, this.abort.signal)
      .then(
        (tried) => void this.ended.push(tried),
        (error: unknown) => log.error({ err: error }, "A notification could not be tried."),
      )
      .finally(() => {
        this.sending.delete(trying);
        this.wake();
      });
    this.sending.add(trying);
  }

  private async rest(): Promise<void> {
    if (this.isAwake) {
      return;
    }
    const pause = POLL_MS * (1 + POLL_SPREAD * (2 * Math.random() - 1));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function hasRunOut({ heldUntil }: Claim): boolean {
  return performance.now() > heldUntil;
}
