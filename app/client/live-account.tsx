"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { isCovered, useTrouble, useWhileAttended } from "./live.tsx";
import { ApiProblem } from "#lib/api/client.ts";

/** Changes that only time brings, such as a new day in a chart, appear within this time. */
const REFRESHED_WITHIN_MS = 60_000;
const TIMEOUT_MS = 5_000;

/**
 * Like `Live`, for pages that show only data covered by the account's version. Polls the version, which costs a
 * fraction of a page, and refreshes the page only when the version has changed.
 */
export function LiveAccount() {
  const router = useRouter();
  const report = useTrouble();
  const seen = useRef<{ version: string; at: number }>({ version: "", at: 0 });
  useWhileAttended(() => {
    const refreshIfDue = async () => {
      const version = await readVersion();
      report(version === undefined);
      const last = seen.current;
      const isDue = version !== last.version || Date.now() - last.at > REFRESHED_WITHIN_MS;
      if (version !== undefined && isDue && !isCovered()) {
        // The page is read after the version: a change in between causes an extra refresh, but is never missed.
        seen.current = { version, at: Date.now() };
        router.refresh();
      }
    };
    void refreshIfDue();
  });
  return null;
}

/** Undefined while the server cannot answer; a different version for a person who is no longer signed in. */
async function readVersion(): Promise<string | undefined> {
  try {
    const { readAccountVersion } = await import("./account-version.ts");
    return await readAccountVersion(AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    return error instanceof ApiProblem && error.isFinal ? error.problem.code : undefined;
  }
}
