"use client";

import { Component } from "react";
import type { ReactNode } from "react";
import type { Elements } from "../ui/elements.ts";
import { Button } from "../ui/button.tsx";

/** A component's script could not be loaded. */
export class FetchError extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be fetched.", { cause });
    this.name = "FetchError";
  }
}

/** Above where the page says that it is offline. */
const OVER_PAGE =
  "bg-surface border-border fixed inset-x-4 bottom-20 z-50 mx-auto w-fit rounded-lg border px-4 py-3 shadow-lg";

interface Props {
  children: () => ReactNode;
  /** What stays on the page after a failure, with the alert over the page; undefined if the alert replaces it. */
  standIn: Elements;
  onRetry: () => void;
}

/** Says that a component failed to load, and loads it again. Every other error goes on to the page's own boundary. */
export class FetchBoundary extends Component<Props, { error: unknown }> {
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
          className={`text-declined flex items-center gap-2 text-xs ${this.props.standIn === undefined ? "" : OVER_PAGE}`}
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
