"use client";

import { useSyncExternalStore } from "react";
import { fetched } from "./fetched.tsx";

/** Where notices appear; fetched with the first one, because no page needs it to be shown. */
const NoticeRegion = fetched(() =>
  import("./notice-region.tsx").then((loaded) => loaded.NoticeRegion),
);

const waiting: string[] = [];
const listeners = new Set<() => void>();
let told = 0;

/** Tells in passing that something has been done. */
export function notify(text: string): void {
  waiting.push(text);
  told += 1;
  for (const listener of listeners) {
    listener();
  }
}

/** Takes the notices that nobody has shown yet. */
export function takeNotices(): string[] {
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
