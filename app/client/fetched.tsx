"use client";

import { Component, lazy, Suspense, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import type { Elements } from "../ui/elements.ts";
import { Button } from "../ui/button.tsx";
import { ON_ITS_WAY } from "../ui/is-shortcut.ts";

/** A component whose script is loaded when it is first shown, or by `preload`. */
export type Fetched<Props> = ((props: Props) => Elements) & { preload: () => void };

/**
 * A component whose script is loaded when it is first shown, or earlier by `preload`. Until then, the fallback takes
 * its place, and nothing around it waits: without a boundary of its own, the skeleton would replace the whole page. A
 * script that fails to load says so there and can be loaded again. A component without a place on the page, such as a
 * dialog, says so over the page; so does one whose stand-in has the same props, such as a menu's button, which stays
 * where it is.
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
    const standIn = typeof fallback === "function" ? fallback(props) : null;
    const placeholder = typeof fallback === "function" ? null : fallback;
    return (
      <FetchBoundary isOverPage={placeholder === null} onRetry={retry} standIn={standIn}>
        {() => (
          <Suspense fallback={standIn ?? placeholder ?? <span hidden {...{ [ON_ITS_WAY]: "" }} />}>
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

class FetchError extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be fetched.", { cause });
    this.name = "FetchError";
  }
}

const OVER_PAGE =
  "bg-surface border-border fixed inset-x-4 bottom-4 z-50 mx-auto w-fit rounded-lg border px-4 py-3 shadow-lg";

interface BoundaryProps {
  children: () => ReactNode;
  isOverPage: boolean;
  onRetry: () => void;
  standIn: Elements;
}

/** Replaces a component that failed to load; every other error goes on to the page's own boundary. */
class FetchBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) {
      return this.props.children();
    }
    if (!(error instanceof FetchError)) {
      throw error;
    }
    return (
      <>
        {this.props.standIn}
        <span
          className={`text-declined flex items-center gap-2 text-xs ${this.props.isOverPage ? OVER_PAGE : ""}`}
          role="alert"
        >
          Couldn't load this. Check your connection.
          <Button
            onPress={() => {
              this.props.onRetry();
              this.setState({ error: null });
            }}
            size="sm"
            variant="outline"
          >
            Try again
          </Button>
        </span>
      </>
    );
  }
}
