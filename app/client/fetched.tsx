"use client";

import { lazy, Suspense, useState } from "react";
import type { ComponentType } from "react";
import { FetchBoundary, FetchError } from "./fetch-boundary.tsx";
import type { Elements } from "../ui/elements.ts";
import { ON_ITS_WAY } from "../ui/is-shortcut.ts";

/** A component whose script is loaded when it is first shown, or by `preload`. */
export type Fetched<Props> = ((props: Props) => Elements) & { preload: () => void };

/**
 * A component whose script is loaded when it is first shown, or earlier by `preload`. Until then, the fallback is shown
 * in its place; nothing around it waits. If the script fails to load, an alert says so and offers to try again. The
 * alert replaces a fallback of elements. A fallback of the same props, such as a menu's button, stays, and so does the
 * empty one of a dialog: then the alert is shown over the page.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: Elements | ((props: Props) => Elements) = null,
): Fetched<Props> {
  // A loaded component is shown at once: even a settled promise would let the fallback appear first.
  let ready: ComponentType<Props> | null = null;
  const attempt = async () => {
    const loaded = await load();
    ready = loaded;
    return loaded;
  };
  const loading = () =>
    lazy(async () => ({
      default: await attempt().catch((cause: unknown) => {
        throw new FetchError(cause);
      }),
    }));
  let Loaded: ComponentType<Props> = loading();
  function Fetched(props: Props) {
    const [Shown, setShown] = useState(() => ready ?? Loaded);
    const retry = () => {
      Loaded = loading();
      setShown(() => Loaded);
    };
    const standIn = typeof fallback === "function" ? fallback(props) : fallback;
    const stays = typeof fallback === "function" || fallback === null;
    return (
      <FetchBoundary onRetry={retry} standIn={stays ? standIn : undefined}>
        {() => (
          <Suspense fallback={standIn ?? <span hidden {...{ [ON_ITS_WAY]: "" }} />}>
            <Shown {...props} />
          </Suspense>
        )}
      </FetchBoundary>
    );
  }
  return Object.assign(Fetched, {
    // If it cannot be loaded now, it is loaded when it is shown.
    preload: () => void attempt().catch(() => undefined),
  });
}
