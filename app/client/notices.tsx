"use client";

import { useSyncExternalStore } from "react";
import { fetched } from "./fetched.tsx";
import { countNotices, subscribeNotices } from "./notice-store.ts";

/** Renders notices; loaded with the first one, so that no page waits for it. */
const loadRegion = () => import("./notice-region.tsx").then((loaded) => loaded.NoticeRegion);
const NoticeRegion = fetched(loadRegion);

/** Loads the code that shows notices, so that one can be shown without a connection. */
export function prepareNotices(): void {
  // If it cannot be loaded now, it is loaded with the notice.
  loadRegion().catch(() => undefined);
}

export function Notices() {
  const count = useSyncExternalStore(subscribeNotices, countNotices, () => 0);
  return count > 0 && <NoticeRegion />;
}
