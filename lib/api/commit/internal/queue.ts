import { DomainError } from "#lib/base/errors.ts";
import { batchEnded } from "#lib/base/signals.ts";
import { DatabaseFailure, isDatabaseFailure } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

/** The maximum number of requests that share one commit. */
export const BATCH_MAX = 256;
/** The maximum number of waiting requests per group. Further requests are refused. */
export const WAITING_MAX = 2_048;
/**
 * How long a batch may wait for the clients of the previous one; half the duration of the previous batch is a further
 * limit. A slow machine takes more than 25 ms to write 64 answers and to read as many requests.
 */
const GATHER_MAX_MS = 50;
/**
 * The share of clients that must send again within that time for a batch to wait for them. Of requests that arrive
 * evenly, independent of answers, at most half do.
 */
const PROMPT_SHARE = 0.75;
/**
 * The number of clients, approximately, from which that share is learned. With fewer, chance would decide for a busy
 * queue.
 */
const PROMPT_MEMORY = 32;

/** Performs the requests in one transaction and returns their results in order. When it throws, nothing was done. */
type Work<Request, Result> = (requests: readonly Request[]) => Promise<readonly Result[]>;

interface Waiting<Request, Result> {
  request: Request;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Group<Request, Result> {
  /** Oldest first. */
  waiting: Waiting<Request, Result>[];
  /** When the batch in flight started. */
  batchSince: number;
  timer: NodeJS.Timeout | undefined;
  gathering: Gathering | undefined;
  /** The share of its clients that send again during a gathering: a moving average over the latest clients. */
  promptShare: number;
}

/** The moment after a batch in which its clients may send their next requests. */
interface Gathering {
  answered: number;
  returned: number;
  /** How many requests are worth waiting for. */
  expected: number;
  /** Clients that send after this are not prompt. */
  until: number;
  /** Ends the wait for these clients. */
  resolve: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Group commit: many requests share one transaction. The requests of a group commit one batch at a time, in arrival
 * order. While a batch commits, arriving requests wait and form the next one. An idle group commits at once, so a
 * lone request never waits. Some clients send their next request as soon as they have an answer. The queue waits for
 * them briefly: otherwise they would split into halves, each of which waits while the other commits. It learns from
 * earlier batches whether clients do so, so that it hardly ever delays requests of independent clients.
 */
export class CommitQueue<Request, Result> {
  readonly name: string;
  private readonly work: Work<Request, Result>;
  /** Only groups with a batch in flight, or whose clients may send their next requests. */
  private readonly busy = new Map<string, Group<Request, Result>>();

  constructor(name: string, work: Work<Request, Result>) {
    this.name = name;
    this.work = work;
  }

  /** How many requests wait for the batch before theirs, in all groups. */
  countWaiting(): number {
    return this.busy.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /**
   * Resolves once the request's batch has committed.
   * @throws DomainError `overloaded` when too many requests are waiting. DatabaseFailure `database_unavailable` when
   *   nothing was done in time, or `outcome_unknown`. Any error that the work throws for this request.
   */
  submit(name: string, request: Request): Promise<Result> {
    const group = this.busy.get(name);
    if (group && group.waiting.length >= WAITING_MAX) {
      return Promise.reject(
        new DomainError("overloaded", "Too many requests are waiting. Try again in a moment."),
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { request, since: performance.now(), resolve, reject };
    if (group) {
      group.waiting.push(waiting);
      scheduleTimeout(group);
      noteArrival(group);
    } else {
      void this.serve(name, {
        waiting: [waiting],
        batchSince: waiting.since,
        timer: undefined,
        gathering: undefined,
        promptShare: 0,
      });
    }
    return promise;
  }

  private async serve(name: string, group: Group<Request, Result>): Promise<void> {
    this.busy.set(name, group);
    while (group.waiting.length > 0) {
      const batch = group.waiting.splice(0, BATCH_MAX);
      group.batchSince = performance.now();
      await run(this.work, batch);
      const durationMs = performance.now() - group.batchSince;
      batchEnded.report({ queue: this.name, requests: batch.length, durationMs });
      await gather(group, batch.length, durationMs);
    }
    clearTimeout(group.timer);
    this.busy.delete(name);
  }
}

/**
 * After a batch, waits briefly for its clients if they were prompt before. Otherwise waits for anybody, if nobody is
 * waiting yet.
 */
async function gather<Request, Result>(
  group: Group<Request, Result>,
  answered: number,
  tookMs: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const isPrompt = group.promptShare >= PROMPT_SHARE;
  const windowMs = Math.min(tookMs / 2, GATHER_MAX_MS);
  // A gathering that is still open when the next batch has ended does not measure promptness.
  clearTimeout(group.gathering?.timer);
  group.gathering = {
    answered,
    returned: 0,
    expected: isPrompt ? Math.round(answered * group.promptShare) : 0,
    until: performance.now() + windowMs,
    resolve,
    // Timers count from the event loop's last look at the clock, so they may fire early.
    timer: setTimeout(() => endGathering(group), Math.ceil(windowMs) + 1),
  };
  if (isPrompt ? group.waiting.length < BATCH_MAX : group.waiting.length === 0) {
    await promise;
  }
}

function noteArrival<Request, Result>(group: Group<Request, Result>): void {
  const { gathering, waiting } = group;
  if (!gathering) {
    return;
  }
  gathering.returned += performance.now() <= gathering.until ? 1 : 0;
  if (gathering.returned >= gathering.expected || waiting.length >= BATCH_MAX) {
    gathering.resolve();
  }
  if (gathering.returned >= gathering.answered) {
    endGathering(group);
  }
}

/** Learns from a gathering how prompt clients are. */
function endGathering<Request, Result>(group: Group<Request, Result>): void {
  const { gathering } = group;
  if (!gathering) {
    return;
  }
  const { answered, returned, resolve, timer } = gathering;
  clearTimeout(timer);
  group.gathering = undefined;
  const weight = answered / (answered + PROMPT_MEMORY);
  group.promptShare += (Math.min(1, returned / answered) - group.promptShare) * weight;
  resolve();
}

/** Never throws. Each error goes to the requests it belongs to. */
async function run<Request, Result>(
  work: Work<Request, Result>,
  batch: Waiting<Request, Result>[],
): Promise<void> {
  try {
    const results = await work(batch.map(({ request }) => request));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index];
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
      await runSingly(work, batch);
    }
  }
}

/** The batch rolled back because of one of its requests. Run alone, each request succeeds or fails on its own. */
async function runSingly<Request, Result>(
  work: Work<Request, Result>,
  batch: Waiting<Request, Result>[],
): Promise<void> {
  for (const [index, each] of batch.entries()) {
    const outcome = await work([each.request]).then(
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

/** Rejects requests that wait behind a batch that never ends. Behind batches that end, requests keep waiting. */
function scheduleTimeout<Request, Result>(group: Group<Request, Result>): void {
  const [oldest] = group.waiting;
  if (group.timer || !oldest) {
    return;
  }
  const until = ({ since }: { since: number }) =>
    Math.max(since, group.batchSince) + timeLimit("batch");
  group.timer = setTimeout(
    () => {
      group.timer = undefined;
      const now = performance.now();
      const firstInTime = group.waiting.findIndex((each) => until(each) > now);
      const late = group.waiting.splice(0, firstInTime === -1 ? group.waiting.length : firstInTime);
      rejectAll(late, tookTooLong());
      scheduleTimeout(group);
    },
    Math.max(1, until(oldest) - performance.now()),
  );
}

function rejectAll<Request, Result>(batch: Waiting<Request, Result>[], error: unknown): void {
  for (const { reject } of batch) {
    reject(error);
  }
}

function tookTooLong(): DatabaseFailure {
  return new DatabaseFailure(
    "database_unavailable",
    "The database took too long to accept the request. Nothing was changed. Try again.",
  );
}
