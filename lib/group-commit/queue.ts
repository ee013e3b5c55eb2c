import { DomainError } from "#lib/base/errors.ts";
import { DatabaseFailure, databaseCode } from "#db/failures.ts";

/** Requests that share one commit, at the most. */
export const BATCH_MAX = 256;
/** Requests of one group that may wait; one more is refused. */
export const WAITING_MAX = 2_048;
/** How long a request may wait for one batch to end: as long as a transaction may wait for a connection. */
const WAIT_TIMEOUT_MS = 2_000;
/** How long a queue that has just answered a batch waits for its clients to return; at most half of what the batch took. */
const GATHER_MAX_MS = 5;

/** Performs the requests in one transaction and returns results in their order. When it throws, nothing was done. */
type Work<Request, Result> = (requests: readonly Request[]) => Promise<readonly Result[]>;

interface Waiting<Request, Result> {
  request: Request;
  work: Work<Request, Result>;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Group<Request, Result> {
  /** Oldest first. */
  waiting: Waiting<Request, Result>[];
  /** When the batch in flight began. */
  batchSince: number;
  timer: NodeJS.Timeout | undefined;
  /** Called as each request begins to wait. */
  onWaiting: () => void;
}

/**
 * Group commit: many requests, one transaction. Requests of one group commit one batch at a time, in arrival order. While
 * a batch commits, arriving requests wait and form the next one. An idle group commits at once, so a lone request waits
 * for nothing. A group that has just answered a batch gives its clients a moment to send their next requests; otherwise
 * the first of them would commit alone and the others would wait for two commits.
 */
export class CommitQueue<Request, Result> {
  /** Only groups with a batch in flight. */
  private readonly busy = new Map<string, Group<Request, Result>>();

  /**
   * Resolves once the batch of the request has committed.
   * @throws DomainError `overloaded` when too many wait already. DatabaseFailure `database_unavailable` when nothing was
   *   done in time, `outcome_unknown`. Whatever the work throws for this request.
   */
  submit(name: string, request: Request, work: Work<Request, Result>): Promise<Result> {
    const group = this.busy.get(name);
    if (group && group.waiting.length >= WAITING_MAX) {
      return Promise.reject(
        new DomainError("overloaded", "Too many requests are waiting; try again in a moment."),
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { request, work, since: performance.now(), resolve, reject };
    if (group) {
      group.waiting.push(waiting);
      giveUpInTime(group);
      group.onWaiting();
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

  private async serve(name: string, group: Group<Request, Result>): Promise<void> {
    this.busy.set(name, group);
    while (group.waiting.length > 0) {
      const batch = group.waiting.splice(0, BATCH_MAX);
      group.batchSince = performance.now();
      await run(batch);
      await gather(group, batch.length, performance.now() - group.batchSince);
    }
    clearTimeout(group.timer);
    this.busy.delete(name);
  }
}

/** Waits, briefly, until as many requests wait as were just answered. */
async function gather<Request, Result>(
  group: Group<Request, Result>,
  answered: number,
  tookMs: number,
): Promise<void> {
  if (answered === 1 || group.waiting.length >= answered) {
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(tookMs / 2, GATHER_MAX_MS));
  group.onWaiting = () => {
    if (group.waiting.length >= answered) {
      resolve();
    }
  };
  await promise;
  clearTimeout(timer);
  group.onWaiting = () => undefined;
}

/** Never throws: errors go to the requests they belong to. */
async function run<Request, Result>(batch: Waiting<Request, Result>[]): Promise<void> {
  const [first] = batch;
  try {
    const results = await first?.work(batch.map(({ request }) => request));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results?.[index];
      if (result === undefined) {
        reject(new Error("A batch returned fewer results than requests."));
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

/** The batch rolled back because of one of its requests. Run alone, each fails or succeeds by itself. */
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

/** Rejects requests that wait behind a batch that does not end. Behind batches that end, waiting goes on. */
function giveUpInTime<Request, Result>(group: Group<Request, Result>): void {
  const [oldest] = group.waiting;
  if (group.timer || !oldest) {
    return;
  }
  const until = ({ since }: { since: number }) =>
    Math.max(since, group.batchSince) + WAIT_TIMEOUT_MS;
  group.timer = setTimeout(
    () => {
      group.timer = undefined;
      const now = performance.now();
      const firstInTime = group.waiting.findIndex((each) => until(each) > now);
      const late = group.waiting.splice(0, firstInTime === -1 ? group.waiting.length : firstInTime);
      rejectAll(late, tookTooLong());
      giveUpInTime(group);
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
