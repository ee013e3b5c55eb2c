import { channel } from "node:diagnostics_channel";
import type { Channel } from "node:diagnostics_channel";

/**
 * Something that happens in this process and that observers may count, such as the metrics. Without an observer, a report
 * costs next to nothing. Node keeps its channels by name, so a module that is loaded twice has the same ones.
 */
class Signal<Report> {
  private readonly channel: Channel;

  constructor(name: string) {
    this.channel = channel(`floatdeck.${name}`);
  }

  report(report: Report): void {
    this.channel.publish(report);
  }

  /** Calls the observer for each report, until the returned function is called. It must not throw. */
  observe(observer: (report: Report) => void): () => void {
    // Only `report` publishes on this channel.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const listener = (message: unknown) => observer(message as Report);
    this.channel.subscribe(listener);
    return () => this.channel.unsubscribe(listener);
  }
}

/** The API has answered a request. */
export const requestAnswered = new Signal<{
  /** Null for a path or a method that does not exist. */
  operation: string | null;
  status: number;
  /** The code of the refusal; null for a success. */
  code: string | null;
  /** Without the time that its caller asked to wait. */
  durationMs: number;
}>("request-answered");

/** A batch of requests that share a commit has ended. */
export const batchEnded = new Signal<{ queue: string; requests: number; durationMs: number }>(
  "batch-ended",
);

/** A decline has been committed. */
export const transactionDeclined = new Signal<{ reason: string }>("transaction-declined");

/** One attempt to deliver a webhook has ended; without a failure, it has arrived. */
export const webhookAttempted = new Signal<{ failure: string | null; durationMs: number }>(
  "webhook-attempted",
);

/** A line of the log was dropped, because nobody read the log. */
export const logLineDropped = new Signal<null>("log-line-dropped");
