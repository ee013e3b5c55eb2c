import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from "node:timers/promises";
import { attempt } from "#lib/webhooks/internal/attempt.ts";
import { claimDue } from "#lib/webhooks/internal/claim.ts";
import type { Claim } from "#lib/webhooks/internal/claim.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { beat, HEARTBEAT_MS, releaseClaims, releaseDead } from "#lib/webhooks/internal/liveness.ts";
import { recordAttempts } from "#lib/webhooks/internal/record.ts";
import type { CompletedAttempt } from "#lib/webhooks/internal/record.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { onWake } from "#lib/base/wake.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A worker that sends notifications. */
export interface RunningWorker {
  /** Stops claiming, lets the attempts in flight end and be recorded, and releases the rest. */
  stop(): Promise<void>;
}

/** The connections a worker's pool needs: one for its statements, one for its heartbeat. */
export const WORKER_CONNECTIONS = 2;

/** Concurrent attempts in one worker. Each may hold 64 KiB of an answer. */
const IN_FLIGHT_MAX = 256;

/**
 * Above this, only endpoints with none in flight get another attempt: endpoints that hang must leave capacity
 * for others.
 */
const CROWDED = 128;

/**
 * The least time between the starts of two turns, so that commits and answers in quick succession share a
 * turn.
 */
const TURN_MS = 20;

/** How many attempts start at once before the rest of the process gets a turn. */
const STARTED_AT_ONCE = 16;

/** How often a worker polls when nothing wakes it, jittered so that several workers do not poll together. */
const POLL_MS = 500;
const POLL_SPREAD = 0.2;

/** Starts a worker on this database. Any number may run, in any number of processes. */
export function startWorker(db: Db, policy: EndpointPolicy): RunningWorker {
  const worker = new Worker(db, policy);
  const running = worker.run();
  return {
    stop: async () => {
      worker.beginStopping();
      await Promise.race([running, sleep(timeLimit("workerDrain"), undefined, { ref: false })]);
      await worker.abandon();
    },
  };
}

/**
 * One loop does all the database work, one statement at a time: it records completed attempts, claims due
 * deliveries, and rests until a commit or a completed attempt wakes it, or until the next poll. Sending runs
 * concurrently.
 */
class Worker {
  private readonly id = newId();
  private readonly db: Db;
  private readonly policy: EndpointPolicy;
  private readonly forget: () => void;
  private readonly abort = new AbortController();
  private readonly sending = new Set<Promise<void>>();
  private ended: CompletedAttempt[] = [];
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
    // Heartbeats do not wait for the loop, because its statements may be slow.
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
          isReady = true;
        }
        const begun = performance.now();
        const hasMore = await this.turn();
        await (hasMore ? undefined : this.rest());
        await sleep(Math.max(0, TURN_MS - (performance.now() - begun)));
      } catch (error) {
        log.error({ err: error }, "Could not claim or record notifications; retrying.");
        await sleep(POLL_MS);
      }
    }
  }

  beginStopping(): void {
    this.isStopping = true;
    this.forget();
    this.wake();
  }

  /** Aborts the attempts that are still in flight, and releases their claims. */
  async abandon(): Promise<void> {
    this.abort.abort(new Error("The worker is stopping."));
    await Promise.all(this.sending);
    this.ended = [];
    clearInterval(this.heart);
    await this.beating;
    await releaseClaims(this.db, this.id).catch((error: unknown) => {
      log.error({ err: error }, "Could not release claims; they will expire.");
    });
  }

  private async sayAlive(): Promise<void> {
    try {
      await beat(this.db, this.id);
    } catch (error) {
      log.warn({ err: error }, "A worker could not send its heartbeat.");
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

  /** @returns whether there may be more to do immediately. */
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
      if (index > 0 && index % STARTED_AT_ONCE === 0) {
        await nextTurnOfTheLoop();
      }
      this.begin(claim);
    }
    return claims.length > 0 || after !== null;
  }

  /** Releases the claims of other workers that died, from time to time. */
  private async releaseDead(): Promise<void> {
    if (performance.now() - this.lookedForDeadAt < POLL_MS) {
      return;
    }
    this.lookedForDeadAt = performance.now();
    await releaseDead(this.db);
  }

  /**
   * Results that cannot be written are kept and retried until their claim expires and another worker resends
   * the delivery.
   */
  private async recordEnded(): Promise<void> {
    const attempts = this.ended;
    this.ended = [];
    try {
      await recordAttempts(this.db, this.id, attempts);
    } catch (error) {
      this.ended.push(...attempts.filter(({ claim }) => !hasRunOut(claim)));
      throw error;
    }
  }

  private begin(claim: Claim): void {
    const trying = attempt(claim, this.policy, this.abort.signal)
      .then(
        (ended) => void this.ended.push(ended),
        (error: unknown) => log.error({ err: error }, "Could not attempt a notification."),
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
