"use client";

import { lazy, Suspense } from "react";
import type { ComponentType, ReactNode } from "react";

/**
 * A component whose script is fetched when it is shown first. Until then the fallback stands in its place, and nothing
 * around it waits: without a boundary of its own the whole page would be replaced by its skeleton.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Fetched(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
