/**
 * A course of events, minute by minute or at another interval, in Prometheus's notation; and how many instances of an
 * alert fire after ten minutes or later.
 */
export interface Course {
  series: Readonly<Record<string, string>>;
  alert: string;
  firing: number;
  after?: string;
  interval?: string;
  /** How often the rules are evaluated: at the interval, unless that would be ten thousand times. */
  every?: string;
}
