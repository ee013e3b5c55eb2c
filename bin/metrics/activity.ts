import { Counter, Histogram } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import {
  batchEnded,
  logLineDropped,
  requestAnswered,
  transactionDeclined,
  webhookAttempted,
} from "#lib/base/signals.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import { toOperationClass } from "#lib/operations/operation-class.ts";
import type { OperationClass } from "#lib/operations/operation-class.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { FAILURES } from "#lib/webhooks/delivery-states.ts";
import { diskFilled } from "#db/disk-full.ts";

/** Counts what the process does. Each function adds metrics to a registry and counts from then on. */

const UNKNOWN = "unknown";
/** The label value for success. */
const OK = "ok";

/** From this status on, a failure is the server's, not the caller's. */
const FAILED_FROM = 500;

/** Stops counting. */
type Stop = () => void;

/** By the id of an operation. */
const CLASSES: ReadonlyMap<string, OperationClass> = new Map(
  OPERATIONS.map((operation) => [operation.id, toOperationClass(operation)]),
);

/**
 * Requests by operation, its class, status, and error code; an unknown path or method is one operation. The series of
 * an operation's possible failures start at 0, because Prometheus sees no increase in a series that starts with its
 * first failure.
 */
export function countRequests(registry: Registry): Stop {
  const registers = [registry];
  const requests = new Counter({
    name: "floatdeck_requests_total",
    help: "Requests that the API answered.",
    labelNames: ["operation", "class", "status", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "floatdeck_request_duration_seconds",
    help: "How long the API took to answer, without the time that its caller asked to wait.",
    labelNames: ["operation", "class"],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  for (const operation of OPERATIONS) {
    for (const code of declaredErrors(operation)) {
      const { status } = PROBLEMS[code];
      if (status >= FAILED_FROM) {
        requests.inc({ ...toNames(operation.id), status, code }, 0);
      }
    }
  }
  return requestAnswered.observe(({ operation, status, code, durationMs }) => {
    const names = toNames(operation ?? UNKNOWN);
    requests.inc({ ...names, status, code: code ?? OK });
    durations.observe(names, durationMs / 1_000);
  });
}

function toNames(operation: string): { operation: string; class: OperationClass | typeof UNKNOWN } {
  return { operation, class: CLASSES.get(operation) ?? UNKNOWN };
}

/** Batches of requests that share a commit. */
export function countBatches(registry: Registry): Stop {
  const registers = [registry];
  const sizes = new Histogram({
    name: "floatdeck_commit_batch_requests",
    help: "How many requests shared a commit.",
    labelNames: ["queue"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const durations = new Histogram({
    name: "floatdeck_commit_batch_duration_seconds",
    help: "How long a batch took, from its first statement to its commit.",
    labelNames: ["queue"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  return batchEnded.observe(({ queue, requests, durationMs }) => {
    sizes.observe({ queue }, requests);
    durations.observe({ queue }, durationMs / 1_000);
  });
}

/** Declined card transactions by reason. */
export function countDeclines(registry: Registry): Stop {
  const declines = new Counter({
    name: "floatdeck_declines_total",
    help: "Declined card transactions.",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const reason of DECLINE_REASONS) {
    declines.inc({ reason }, 0);
  }
  return transactionDeclined.observe((declined) => declines.inc(declined));
}

/** Attempts to deliver webhooks by outcome: `ok`, or the kind of failure. */
export function countWebhookAttempts(registry: Registry): Stop {
  const registers = [registry];
  const attempts = new Counter({
    name: "floatdeck_webhook_attempts_total",
    help: "Attempts to deliver a webhook.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of [OK, ...Object.keys(FAILURES)]) {
    attempts.inc({ outcome }, 0);
  }
  const durations = new Histogram({
    name: "floatdeck_webhook_attempt_duration_seconds",
    help: "How long an attempt to deliver a webhook took.",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const delays = new Histogram({
    name: "floatdeck_webhook_delay_seconds",
    help: "How long a webhook waited from its record to its first attempt.",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  return webhookAttempted.observe(({ failure, durationMs, waitedMs }) => {
    attempts.inc({ outcome: failure ?? OK });
    durations.observe(durationMs / 1_000);
    if (waitedMs !== null) {
      delays.observe(waitedMs / 1_000);
    }
  });
}

/** Statements that the database refused because its disk is full. */
export function countFullDisk(registry: Registry): Stop {
  const refused = new Counter({
    name: "floatdeck_database_full_total",
    help: "How often the database refused something because its disk is full (SQLSTATE 53100).",
    registers: [registry],
  });
  return diskFilled.observe(() => refused.inc());
}

/** Lines of the log that were dropped because nobody read it. */
export function countDroppedLines(registry: Registry): Stop {
  const dropped = new Counter({
    name: "floatdeck_log_lines_dropped_total",
    help: "Lines of the log that were dropped because nobody read it.",
    registers: [registry],
  });
  return logLineDropped.observe(() => dropped.inc());
}
