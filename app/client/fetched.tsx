"use client";

import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { FetchFailed } from "./fetch-failed.tsx";
import { useHeldKeys } from "./held-keys.ts";
import type { Elements } from "../ui/elements.ts";

/** A component whose script is loaded when it is first shown, or by `preload`. */
export type Fetched<Props> = ((props: Props) => Elements) & { preload: () => void };

/**
 * A component whose script is loaded when it is first shown, or earlier by `preload`. Until then, the fallback is
 * shown in its place; nothing around it waits. If the script fails to load, an alert says so and offers to try again.
 * The alert replaces a fallback that consists of elements. A fallback that takes the same props, such as a menu's
 * button, stays, and so does a dialog's empty one: then the alert is shown over the page.
 *
 * A component with an `onClose` is a dialog: keys that are pressed before it is shown go to its fields.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: Elements | ((props: Props) => Elements) = null,
): Fetched<Props> {
  let ready: ComponentType<Props> | null = null;
  const attempt = async () => {
    const loaded = await load();
    ready = loaded;
    return loaded;
  };
  // Not with `lazy`: React would keep showing the fallback for at least 300 ms.
  function Fetched(props: Props) {
    const [Shown, setShown] = useState(() => ready);
    const [hasFailed, setFailed] = useState(false);
    const isLoading = Shown === null && !hasFailed;
    useEffect(() => {
      if (isLoading) {
        attempt().then(
          (loaded) => setShown(() => loaded),
          () => setFailed(true),
        );
      }
    }, [isLoading]);
    useHeldKeys(isLoading && "onClose" in props);
    if (Shown !== null) {
      return <Shown {...props} />;
    }
    const standIn: Elements = typeof fallback === "function" ? fallback(props) : fallback;
    if (!hasFailed) {
      return standIn;
    }
    const stays = typeof fallback === "function" || fallback === null;
    return <FetchFailed onRetry={() => setFailed(false)} standIn={stays ? standIn : undefined} />;
  }
  return Object.assign(Fetched, {
    // If it cannot be loaded now, it is loaded when it is first shown.
    preload: () => void attempt().catch(() => undefined),
  });
}
