import { channel } from "node:diagnostics_channel";
import type { Channel } from "node:diagnostics_channel";

/**
 * Something that happens in this process and that observers may count, such as the metrics. Without an observer, a report
 * costs next to nothing. Node keeps its channels by name, so a module that is loaded twice has the same ones.
 */
export class Signal<Report> {
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
