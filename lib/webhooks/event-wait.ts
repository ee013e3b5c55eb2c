import { DomainError } from "#lib/base/errors.ts";
import { isClosing, onClosing } from "#lib/base/lifecycle.ts";
import type { Page } from "#lib/base/paging.ts";
import { onFeedWake } from "#lib/base/wake.ts";
import { WAITERS_MAX, WAITERS_PER_INTEGRATOR_MAX } from "#lib/webhooks/event-wait-limits.ts";

/**
 * The pause between two reads while nothing happens. It doubles each time up to the maximum: a waiting request learns
 * at most that late of an event that another process recorded.
 */
const PAUSE_MIN_MS = 20;
const PAUSE_MAX_MS = 1_000;

/** The delay between a commit in this process and the read, so that one read gets all events of a burst. */
const GATHER_MS = 5;

/** For whom to wait, how long, and until when at most. */
export interface Wait {
  integratorId: string;
  waitMs: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Called after each wait with how long it took, in milliseconds. */
  onWaited: (ms: number) => void;
}

/** How many requests wait, by integrator. */
const waiters = new Map<string, number>();

/**
 * Reads a page of events and, while it is empty, waits for the first ones. It holds no connection while it waits, and
 * ends early when the server stops or the client is gone.
 * @throws DomainError `rate_limited` or `overloaded` when too many requests wait already.
 */
export async function waitForEvents<Row>(
  read: () => Promise<Page<Row>>,
  wait: Wait,
): Promise<Page<Row>> {
  const first = await read();
  if (first.rows.length > 0 || wait.waitMs === 0) {
    return first;
  }
  countWaiter(wait.integratorId);
  try {
    return await readUntilAny(read, wait, first);
  } finally {
    discountWaiter(wait.integratorId);
  }
}

async function readUntilAny<Row>(
  read: () => Promise<Page<Row>>,
  { integratorId, waitMs, signal, onWaited }: Wait,
  first: Page<Row>,
): Promise<Page<Row>> {
  const endsAt = performance.now() + waitMs;
  const bell = new Bell(integratorId, signal);
  let page = first;
  let pauseMs = PAUSE_MIN_MS;
  try {
    while (page.rows.length === 0 && !isOver(endsAt, signal)) {
      const startedAt = performance.now();
      const isRung = await bell.next(Math.min(pauseMs, endsAt - startedAt));
      onWaited(performance.now() - startedAt);
      // After a ring, read again soon: the new event is not listed yet if an older transaction still runs.
      pauseMs = isRung ? PAUSE_MIN_MS : Math.min(pauseMs * 2, PAUSE_MAX_MS);
      if (!signal.aborted) {
        page = await read();
      }
    }
    return page;
  } finally {
    bell.leave();
  }
}

function isOver(endsAt: number, signal: AbortSignal): boolean {
  return performance.now() >= endsAt || signal.aborted || isClosing();
}

/** Rings when this process records an event of the integrator or starts to close, and when the signal aborts. */
class Bell {
  private isRung = false;
  private isRinging = false;
  private wake: (() => void) | undefined;
  private readonly forget: (() => void)[];

  constructor(integratorId: string, signal: AbortSignal) {
    const ring = () => this.ring();
    signal.addEventListener("abort", ring);
    this.forget = [
      onClosing(ring),
      onFeedWake(integratorId, () => this.ringSoon()),
      () => signal.removeEventListener("abort", ring),
    ];
  }

  /** Waits for the next ring, or this long. @returns whether it rang. */
  async next(ms: number): Promise<boolean> {
    if (!this.isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    }
    const wasRung = this.isRung;
    this.isRung = false;
    return wasRung;
  }

  leave(): void {
    for (const forget of this.forget) {
      forget();
    }
  }

  private ringSoon(): void {
    if (!this.isRinging) {
      this.isRinging = true;
      setTimeout(() => this.ring(), GATHER_MS);
    }
  }

  private ring(): void {
    this.isRinging = false;
    this.isRung = true;
    this.wake?.();
  }
}

function countWaiter(integratorId: string): void {
  const own = waiters.get(integratorId) ?? 0;
  if (own >= WAITERS_PER_INTEGRATOR_MAX) {
    throw new DomainError(
      "rate_limited",
      `At most ${WAITERS_PER_INTEGRATOR_MAX} requests of an account may wait for events at a time; end one, or send wait=0.`,
    );
  }
  const all = [...waiters.values()].reduce((sum, count) => sum + count, 0);
  if (all >= WAITERS_MAX) {
    throw new DomainError(
      "overloaded",
      "Too many requests are waiting for events; wait a moment, or send wait=0.",
    );
  }
  waiters.set(integratorId, own + 1);
}

function discountWaiter(integratorId: string): void {
  const others = (waiters.get(integratorId) ?? 1) - 1;
  if (others > 0) {
    waiters.set(integratorId, others);
  } else {
    waiters.delete(integratorId);
  }
}
