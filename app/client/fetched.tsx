"use client";

import { Button } from "@heroui/react";
import { Component, lazy, Suspense } from "react";
import type { ComponentType, ReactNode } from "react";

/**
 * A component whose script is fetched when it is shown first. Until then the fallback stands in its place, and nothing
 * around it waits: without a boundary of its own the whole page would be replaced by its skeleton. A script that cannot be
 * fetched says so there and can be fetched again.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const loading = () =>
    lazy(async () => ({
      default: await load().catch((cause: unknown) => {
        throw new FetchError(cause);
      }),
    }));
  let Loaded = loading();
  return function Fetched(props: Props) {
    return (
      <FetchBoundary
        onRetry={() => {
          Loaded = loading();
        }}
      >
        {() => (
          <Suspense fallback={fallback}>
            <Loaded {...props} />
          </Suspense>
        )}
      </FetchBoundary>
    );
  };
}

class FetchError extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be fetched.", { cause });
    this.name = "FetchError";
  }
}

interface BoundaryProps {
  children: () => ReactNode;
  onRetry: () => void;
}

/** Takes the place of what could not be fetched; every other error goes on to the page's own boundary. */
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
      <span className="text-declined flex items-center gap-2 text-xs" role="alert">
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
    );
  }
}
