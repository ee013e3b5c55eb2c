"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import { toButtonClass } from "../ui/button-class.ts";
import { Button } from "../ui/button.tsx";
import type { Elements } from "../ui/elements.ts";
import { restoreTheme } from "../ui/theme.ts";
import { Empty } from "../ui/empty.tsx";
import { findPageRequestId } from "./hold-pages.ts";
import { reportTrouble } from "./trouble.ts";
import { BUSY_DIGEST } from "#lib/base/page-failure.ts";

const NEVER_CHANGES = () => () => undefined;

/** The props that Next.js passes to the replacement of a failed page. */
export interface PageFailure {
  error: Error & { digest?: string };
  reset: () => void;
}

/**
 * Replaces a page that could not be loaded. If the server was busy, retries automatically. Otherwise says that the
 * page failed, and offers to try again or to leave.
 */
export function PageProblem({
  error,
  reset,
  back,
  meanwhile,
}: PageFailure & {
  back: { href: string; name: string };
  /** What to show while the page is retried. */
  meanwhile: Elements;
}) {
  useEffect(restoreTheme, []);
  const retry = useRetry(reset);
  return error.digest === BUSY_DIGEST ? (
    <Busy retry={retry}>{meanwhile}</Busy>
  ) : (
    <Failed back={back} hasReference={error.digest !== undefined} retry={retry} />
  );
}

function useRetry(reset: () => void): () => void {
  const router = useRouter();
  return () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
}

/** The refresh lasts until the server answers. */
function Busy({ retry, children }: { retry: () => void; children: Elements }) {
  const [first] = useState(() => retry);
  useEffect(() => {
    const source = {};
    reportTrouble(source, true);
    first();
    return () => reportTrouble(source, false);
  }, [first]);
  return (
    <>
      <title>Busy, trying again · Floatdeck</title>
      <h1 className="sr-only">Waiting for the server</h1>
      {children}
    </>
  );
}

function Failed({
  retry,
  back,
  hasReference,
}: {
  retry: () => void;
  back: { href: string; name: string };
  /** Whether the server failed, so that its log has the reason. */
  hasReference: boolean;
}) {
  // A document names its request only once it is complete.
  const requestId = useSyncExternalStore(NEVER_CHANGES, findPageRequestId, () => undefined);
  return (
    <div role="alert">
      {/* The title was part of the failed page. */}
      <title>Something went wrong · Floatdeck</title>
      <Empty
        action={
          <>
            <Button onPress={retry}>Try again</Button>
            {/* The router may have failed, so the browser itself follows the link. */}
            <a className={toButtonClass({ variant: "secondary" })} href={back.href}>
              {back.name}
            </a>
          </>
        }
        isPage
        title="We couldn't load this page."
      >
        <span>Something went wrong on our side. Nothing was changed.</span>
        {hasReference && requestId && (
          <span className="mt-1 block text-xs">
            <span>Request ID for support:</span>{" "}
            <code className="font-mono select-all">{requestId}</code>
          </span>
        )}
      </Empty>
    </div>
  );
}
