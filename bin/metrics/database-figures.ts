import { setTimeout as sleep } from "node:timers/promises";
import { Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { FeedDelay } from "#lib/operator/feed-delay.ts";
import { COUNTED_MAX, readFigures } from "#lib/operator/figures.ts";
import type { Figures } from "#lib/operator/figures.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** The figures are read at most this often, however often they are scraped. */
const KEPT_MS = 5_000;

/** A gauge, and its values by label; a gauge without a label has one value, under "". */
interface Shown {
  name: string;
  help: string;
  label?: string;
  values: (figures: Timed) => Readonly<Record<string, number | null>>;
}

/** Figures, and how long the feed of events had been held back when they were read. */
interface Timed extends Figures {
  feedDelayMs: number;
}

const SHOWN: readonly Shown[] = [
  {
    name: "floatdeck_database_connections_free",
    help: "Connections that PostgreSQL still has for roles without privileges.",
    values: ({ connectionsFree }) => ({ "": connectionsFree }),
  },
  {
    name: "floatdeck_database_size_bytes",
    help: "The size of Floatdeck's database, without the WAL.",
    values: ({ sizeBytes }) => ({ "": sizeBytes }),
  },
  {
    name: "floatdeck_deliveries",
    help: `Deliveries of webhooks that have not arrived, counted up to ${COUNTED_MAX} per state.`,
    label: "state",
    values: ({ deliveries }) => deliveries,
  },
  {
    name: "floatdeck_delivery_oldest_pending_seconds",
    help: `The age of the oldest pending delivery; a lower bound once ${COUNTED_MAX} are pending.`,
    values: ({ oldestPending }) => ({ "": oldestPending }),
  },
  {
    name: "floatdeck_delivery_overdue_seconds",
    help: "For how long the most overdue delivery has waited for a worker.",
    values: ({ overdue }) => ({ "": overdue }),
  },
  {
    name: "floatdeck_feed_delay_seconds",
    help: "For how long a transaction that has not ended has held back the feed of events.",
    values: ({ feedDelayMs }) => ({ "": feedDelayMs / 1_000 }),
  },
  {
    name: "floatdeck_messages",
    help: `Messages to people that wait to be sent, and those that failed and are at most a day old, counted up to ${COUNTED_MAX} each.`,
    label: "state",
    values: ({ messages }) => messages,
  },
  {
    name: "floatdeck_message_oldest_waiting_seconds",
    help: "The age of the oldest message to a person that waits to be sent.",
    values: ({ oldestMessage }) => ({ "": oldestMessage }),
  },
  {
    name: "floatdeck_webhook_workers",
    help: "Workers with a heartbeat in the last five seconds.",
    values: ({ workers }) => ({ "": workers }),
  },
  {
    name: "floatdeck_servers",
    help: "Servers with a heartbeat in the last six seconds, which divide the rate limits among them.",
    values: ({ servers }) => ({ "": servers }),
  },
  {
    name: "floatdeck_changes_stopped_seconds",
    help: "For how long the operator has stopped all changes; 0 while they are allowed.",
    values: ({ changesStopped }) => ({ "": changesStopped }),
  },
  {
    name: "floatdeck_ledger_check_age_seconds",
    help: "How long ago the books were checked: what moved since the last check, and in full.",
    label: "extent",
    values: ({ checkAge, fullCheckAge }) => ({ recent: checkAge, full: fullCheckAge }),
  },
  {
    name: "floatdeck_ledger_unbalanced_integrators",
    help: "Integrators whose books did not balance at the last check.",
    values: ({ unbalancedIntegrators }) => ({ "": unbalancedIntegrators }),
  },
  {
    name: "floatdeck_unmatched_facts",
    help: `Reports of the card network that are not in the books, by reason, counted up to ${COUNTED_MAX} in all.`,
    label: "reason",
    values: ({ unmatchedFacts }) => unmatchedFacts,
  },
  {
    name: "floatdeck_api_log_ahead_seconds",
    help: "How far into the future the API log has partitions.",
    values: ({ apiLogAhead }) => ({ "": apiLogAhead }),
  },
  {
    name: "floatdeck_api_log_default_rows",
    help: `Rows in the default partition of the API log, counted up to ${COUNTED_MAX}.`,
    values: ({ apiLogStray }) => ({ "": apiLogStray }),
  },
];

/**
 * Adds the database's figures about the whole installation to a registry. If the database does not answer in time, only
 * `floatdeck_database_up` remains: no alert may rely on figures that may no longer be true.
 * @returns the function that brings the figures up to date, in a second at most; it never throws.
 */
export function showDatabase(registry: Registry, db: Db): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "floatdeck_database_up",
    help: "1 while the database answers within a second.",
    registers,
  });
  const shown = SHOWN.map(({ name, help, label, values }) => ({
    label,
    values,
    gauge: new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers }),
  }));
  const read = keepReading(db);
  return async () => {
    const figures = await read();
    up.set(figures ? 1 : 0);
    for (const { gauge, label, values } of shown) {
      clear(gauge, label);
      for (const [name, value] of Object.entries(figures ? values(figures) : {})) {
        if (value !== null) {
          gauge.set(label === undefined ? {} : { [label]: name }, value);
        }
      }
    }
  };
}

/** Removes every value: resetting a gauge without a label would show 0. */
function clear(gauge: Gauge<string>, label: string | undefined): void {
  if (label === undefined) {
    gauge.remove();
  } else {
    gauge.reset();
  }
}

/** Returns a reader whose result concurrent scrapes share. Undefined when the database does not answer in time. */
function keepReading(db: Db): () => Promise<Timed | undefined> {
  const delay = new FeedDelay();
  let kept: { figures: Timed; at: number } | undefined;
  let reading: Promise<Timed | undefined> | undefined;
  const read = async () => {
    try {
      const found = await readFigures(db);
      const at = performance.now();
      const figures = { ...found, feedDelayMs: delay.note(found.feed, at) };
      kept = { figures, at };
      return figures;
    } catch {
      // `floatdeck_database_up` reports it.
      return undefined;
    } finally {
      reading = undefined;
    }
  };
  return () => {
    if (kept && performance.now() - kept.at < KEPT_MS) {
      return Promise.resolve(kept.figures);
    }
    reading ??= read();
    return Promise.race([reading, sleep(timeLimit("figures"), undefined, { ref: false })]);
  };
}
