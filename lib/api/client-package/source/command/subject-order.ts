import type { FeedEvent } from "./api.ts";

/**
 * The events of each subject in the order of their sequence. The feed lists what became visible first, which differs
 * when two changes of a subject began in another order than they ended.
 */
export function toSubjectOrder(events: readonly FeedEvent[]): FeedEvent[] {
  const bySubject = new Map<string, FeedEvent[]>();
  for (const event of events) {
    const own = bySubject.get(event.subject.id) ?? [];
    bySubject.set(event.subject.id, own);
    own.push(event);
  }
  for (const own of bySubject.values()) {
    own.sort((a, b) => a.sequence - b.sequence);
  }
  return events.flatMap(({ subject }) => bySubject.get(subject.id)?.shift() ?? []);
}

/** Whether an event of a subject is missing between these and the last ones that were forwarded. */
export function hasGap(ordered: readonly FeedEvent[], last: ReadonlyMap<string, number>): boolean {
  const reached = new Map(last);
  return ordered.some(({ subject, sequence }) => {
    const before = reached.get(subject.id);
    reached.set(subject.id, Math.max(sequence, before ?? 0));
    return before !== undefined && sequence > before + 1;
  });
}
