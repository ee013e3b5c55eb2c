"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";
import { toButtonClass } from "../ui/button-class.ts";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { InspectedRecord } from "./inspected-record.ts";

/** The open record, with links to its neighbors, to its page, and back to the list without the panel. */
export function InspectorPanel({
  record,
  isStale,
  ...rest
}: {
  record: InspectedRecord | null;
  /** Whether another record is being loaded. */
  isStale: boolean;
} & Pick<ComponentProps<typeof Toolbar>, "neighbors" | "closedHref" | "onStep" | "onClose">) {
  return (
    <section
      aria-busy={isStale}
      aria-label={record?.label ?? "Loading"}
      className="border-border bg-surface @container flex min-w-0 flex-col rounded-lg border min-[85rem]:sticky min-[85rem]:top-[calc(var(--stripe)+1rem)] min-[85rem]:max-h-[calc(100dvh-var(--stripe)-2rem)]"
      data-inspected
    >
      <Toolbar {...rest} href={isStale ? null : (record?.href ?? null)} />
      {record === null ? (
        <Outline />
      ) : (
        <div
          className={`inspected min-h-0 overflow-x-clip overflow-y-auto px-4 pb-4 transition-opacity delay-150 ${isStale ? "opacity-50" : ""}`}
          key={record.id}
        >
          {record.content}
        </div>
      )}
    </section>
  );
}

function Toolbar({
  neighbors,
  href,
  closedHref,
  onStep,
  onClose,
}: {
  neighbors: Readonly<Record<1 | -1, string | undefined>>;
  /** The record's page; null while there is none. */
  href: string | null;
  closedHref: string;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}) {
  const close = (event: MouseEvent) => {
    event.preventDefault();
    onClose();
  };
  return (
    <div className="border-separator flex min-h-14 shrink-0 items-center gap-1 border-b px-3 py-2">
      <GuardedButton
        aria-label="Previous record"
        disabledReason={neighbors[-1] === undefined ? "No record above on this page." : null}
        isIconOnly
        onPress={() => onStep(-1)}
        size="sm"
        variant="ghost"
      >
        <ChevronUp aria-hidden />
      </GuardedButton>
      <GuardedButton
        aria-label="Next record"
        disabledReason={neighbors[1] === undefined ? "No record below on this page." : null}
        isIconOnly
        onPress={() => onStep(1)}
        size="sm"
        variant="ghost"
      >
        <ChevronDown aria-hidden />
      </GuardedButton>
      <span className="flex-1" />
      {href !== null && (
        <LinkButton href={href} size="sm" variant="secondary">
          Open
        </LinkButton>
      )}
      <a
        aria-label="Close"
        className={toButtonClass({ variant: "ghost", size: "sm", isIconOnly: true })}
        href={closedHref}
        onClick={close}
      >
        <X aria-hidden />
      </a>
    </div>
  );
}

/** Appears only if the record takes a moment to load, to avoid flicker. */
function Outline() {
  return (
    <div aria-hidden className="reveal-late flex flex-col gap-4 p-4">
      <Skeleton className="h-6 w-2/3 rounded-md" />
      <Skeleton className="h-9 w-1/2 rounded-md" />
      <Skeleton className="h-40 rounded-md" />
      <Skeleton className="h-56 rounded-md" />
    </div>
  );
}
