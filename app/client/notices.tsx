"use client";

import { useSyncExternalStore } from "react";
import { fetched } from "./fetched.tsx";

/** Where notices appear; fetched with the first one, because no page needs it to be shown. */
const loadRegion = () => import("./notice-region.tsx").then((loaded) => loaded.NoticeRegion);
const NoticeRegion = fetched(loadRegion);

/** A warning is about something that needs looking after. */
type Tone = "success" | "warning";

interface Notice {
  text: string;
  tone: Tone;
}

const waiting: Notice[] = [];
const listeners = new Set<() => void>();
let told = 0;

/** Says in passing that something has been done, or is to be checked. */
export function notify(text: string, tone: Tone = "success"): void {
  waiting.push({ text, tone });
  told += 1;
  for (const listener of listeners) {
    listener();
  }
}

/** Fetches what shows notices, so that one can be shown when the connection is gone. */
export function prepareNotices(): void {
  // Where it cannot be fetched now, it is fetched with the notice.
  loadRegion().catch(() => undefined);
}

/** Takes the notices that nobody has shown yet. */
export function takeNotices(): Notice[] {
  return waiting.splice(0);
}

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Notices() {
  const count = useSyncExternalStore(
    subscribeNotices,
    () => told,
    () => 0,
  );
  return count > 0 && <NoticeRegion />;
}
