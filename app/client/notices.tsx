"use client";

import { useSyncExternalStore } from "react";
import { fetched } from "./fetched.tsx";
import { countNotices, subscribeNotices } from "./notice-store.ts";

/** Where notices appear; fetched with the first one, because no page needs it to be shown. */
const loadRegion = () => import("./notice-region.tsx").then((loaded) => loaded.NoticeRegion);
const NoticeRegion = fetched(loadRegion);

/** Fetches what shows notices, so that one can be shown when the connection is gone. */
export function prepareNotices(): void {
  // Where it cannot be fetched now, it is fetched with the notice.
  loadRegion().catch(() => undefined);
}

export function Notices() {
  const count = useSyncExternalStore(subscribeNotices, countNotices, () => 0);
  return count > 0 && <NoticeRegion />;
}
