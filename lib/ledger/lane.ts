import { DomainError } from "#lib/errors.ts";
import { DatabaseFailure, databaseCode } from "#db/failures.ts";

/** Requests that share one commit, at the most. */
export const BATCH_MAX = 256;
/** Requests of one name that may wait; one more is told to come back. */
export const WAITING_MAX = 2_048;
/** How long a request may wait for one batch to end: as long as a transaction may wait for a connection. */
const WAIT_TIMEOUT_MS = 2_000;
/** How long a lane that has just answered several looks out for them to come again, beside half of what they took. */
const GATHER_MAX_MS = 5;

/** Does the requests in one transaction and answers them in their order; does nothing at all when it throws. */
type Work<Request, Result> = (requests: readonly Request[]) => Promise<readonly Result[]>;

interface Waiting<Request, Result> {
  request: Request;
  work: Work<Request, Result>;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Lane<Request, Result> {
  /** Oldest first. */
  waiting: Waiting<Request, Result>[];
  /** When the batch in flight began. */
  batchSince: number;
  timer: NodeJS.Timeout | undefined;
  /** Called as each request begins to wait. */
  onWaiting: () => void;
}

/**
 * Many requests, one commit. Requests of one name go one batch at a time, in the order they came: while a batch commits,
 * those that arrive wait and are the next one. An idle lane begins at once, so that a lone request waits for nobody; one
 * that has just answered several gives their clients a moment to ask again, or else the first of them would go alone and
 * the others wait for two commits instead of one.
 */
export class Lanes<Request, Result> {
  /** Only lanes that are at work. */
  private readonly busy = new Map<string, Lane<Request, Result>>();

  /**
   * Resolves once the batch of the request has committed.
   * @throws DomainError `overloaded` when too many wait already. DatabaseFailure `database_unavailable` when nothing was
   *   done for want of time, `outcome_unknown`. Whatever the work throws for this very request.
   */
  submit(name: string, request: Request, work: Work<Request, Result>): Promise<Result> {
    const lane = this.busy.get(name);
    if (lane && lane.waiting.length >= WAITING_MAX) {
      return Promise.reject(
        new DomainError("overloaded", "Too many requests are waiting; try again in a moment."),
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { request, work, since: performance.now(), resolve, reject };
    if (lane) {
      lane.waiting.push(waiting);
      giveUpInTime(lane);
      lane.onWaiting();
    } else {
      void this.serve(name, {
        waiting: [waiting],
        batchSince: waiting.since,
        timer: undefined,
        onWaiting: () => undefined,
      });
    }
    return promise;
  }

  private async serve(name: string, lane: Lane<Request, Result>): Promise<void> {
    this.busy.set(name, lane);
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, BATCH_MAX);
      lane.batchSince = performance.now();
      await run(batch);
      await gather(lane, batch.length, performance.now() - lane.batchSince);
    }
    clearTimeout(lane.timer);
    this.busy.delete(name);
  }
}

/** Until as many wait as were answered just now, but not for long. */
async function gather<Request, Result>(
  lane: Lane<Request, Result>,
  answered: number,
  tookMs: number,
): Promise<void> {
  if (answered === 1 || lane.waiting.length >= answered) {
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(tookMs / 2, GATHER_MAX_MS));
  lane.onWaiting = () => {
    if (lane.waiting.length >= answered) {
      resolve();
    }
  };
  await promise;
  clearTimeout(timer);
  lane.onWaiting = () => undefined;
}

/** Never throws: whatever happens is the requests' own. */
async function run<Request, Result>(batch: Waiting<Request, Result>[]): Promise<void> {
  const [first] = batch;
  try {
    const results = await first?.work(batch.map(({ request }) => request));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results?.[index];
      if (result === undefined) {
        reject(new Error("A batch answered fewer requests than it was asked."));
      } else {
        resolve(result);
      }
    }
  } catch (error) {
    if (batch.length === 1 || isDatabaseFailure(error)) {
      rejectAll(batch, error);
    } else {
      await runSingly(batch);
    }
  }
}

/** Nothing of the batch happened, and something in it is why: each alone, what is wrong hurts only itself. */
async function runSingly<Request, Result>(batch: Waiting<Request, Result>[]): Promise<void> {
  for (const [index, each] of batch.entries()) {
    const outcome = await each.work([each.request]).then(
      ([result]) => ({ result }),
      (error: unknown) => ({ error }),
    );
    if (!("error" in outcome) && outcome.result !== undefined) {
      each.resolve(outcome.result);
      continue;
    }
    const error = "error" in outcome ? outcome.error : new Error("A request had no result.");
    each.reject(error);
    if (isDatabaseFailure(error)) {
      rejectAll(batch.slice(index + 1), tookTooLong());
      return;
    }
  }
}

/** Whoever waits for a batch that does not end is told so; while batches end, waiting is only a matter of turns. */
function giveUpInTime<Request, Result>(lane: Lane<Request, Result>): void {
  const [oldest] = lane.waiting;
  if (lane.timer || !oldest) {
    return;
  }
  const until = ({ since }: { since: number }) =>
    Math.max(since, lane.batchSince) + WAIT_TIMEOUT_MS;
  lane.timer = setTimeout(
    () => {
      lane.timer = undefined;
      const now = performance.now();
      const firstInTime = lane.waiting.findIndex((each) => until(each) > now);
      const late = lane.waiting.splice(0, firstInTime === -1 ? lane.waiting.length : firstInTime);
      rejectAll(late, tookTooLong());
      giveUpInTime(lane);
    },
    Math.max(1, until(oldest) - performance.now()),
  );
}

function rejectAll<Request, Result>(batch: Waiting<Request, Result>[], error: unknown): void {
  for (const { reject } of batch) {
    reject(error);
  }
}

function isDatabaseFailure(error: unknown): boolean {
  const code = databaseCode(error);
  return code === "database_unavailable" || code === "outcome_unknown";
}

function tookTooLong(): DatabaseFailure {
  return new DatabaseFailure(
    "database_unavailable",
    "The database took too long to take the request. Nothing was changed; try again.",
  );
}
