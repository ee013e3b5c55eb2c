"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { ApiProblem, callApi } from "#lib/api/client.ts";
import { isCovered, useWhileAttended } from "./live.tsx";
import { OPERATIONS } from "./operations.ts";

/** What follows from the time alone, such as a new day in a chart, appears within this time. */
const REFRESHED_WITHIN_MS = 60_000;
const TIMEOUT_MS = 5_000;

/**
 * As `Live`, for pages that show nothing but what the account's version covers: it asks for the version first, which
 * costs a fraction of a page, and refreshes the page only when that has changed.
 */
export function LiveAccount() {
  const router = useRouter();
  const seen = useRef<{ version: string; at: number }>({ version: "", at: 0 });
  useWhileAttended(() => {
    const refreshIfDue = async () => {
      const version = await readVersion();
      const last = seen.current;
      const isDue = version !== last.version || Date.now() - last.at > REFRESHED_WITHIN_MS;
      if (version !== undefined && isDue && !isCovered()) {
        // The page is read after the version: a change in between leads to one more refresh, and is never missed.
        seen.current = { version, at: Date.now() };
        router.refresh();
      }
    };
    void refreshIfDue();
  });
  return null;
}

/** Undefined while the server cannot answer; another version for a person who is no longer signed in. */
async function readVersion(): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return (await callApi(OPERATIONS.getAccountVersion, {}, { signal })).version;
  } catch (error) {
    return error instanceof ApiProblem && error.isFinal ? error.problem.code : undefined;
  }
}
