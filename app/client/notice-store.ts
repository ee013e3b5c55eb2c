/** A warning is about something that needs looking after. */
type Tone = "success" | "warning";

/** Something that can be done about a notice while it is shown. */
export interface NoticeAction {
  label: string;
  onPress: () => void;
}

interface Notice {
  text: string;
  tone: Tone;
  action: NoticeAction | null;
}

const waiting: Notice[] = [];
const listeners = new Set<() => void>();
let count = 0;

/** Queues a notice that something was done, or needs checking. */
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

/** Takes the notices that have not been shown yet. */
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
