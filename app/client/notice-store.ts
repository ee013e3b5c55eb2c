import type { Tone } from "../ui/alert.tsx";

/** An action that a notice offers while it is shown. */
export interface NoticeAction {
  label: string;
  onPress: () => void;
}

/** A short message that goes away by itself. */
export interface Notice {
  text: string;
  tone: Tone;
  action: NoticeAction | null;
}

const waiting: Notice[] = [];
const listeners = new Set<() => void>();
let count = 0;

/** Queues a notice that something was done, or needs attention. */
export function notify(
  text: string,
  tone: Tone = "success",
  action: NoticeAction | null = null,
): void {
  waiting.push({ text, tone, action });
  count += 1;
  for (const listener of listeners) {
    listener();
  }
}

/** Removes and returns the notices that have not been shown yet. */
export function takeNotices(): Notice[] {
  return waiting.splice(0);
}

/** How many notices there have been. */
export function countNotices(): number {
  return count;
}

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
