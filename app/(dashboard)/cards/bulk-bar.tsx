"use client";

import { Button, Label, ProgressBar } from "@heroui/react";
import { Download, Snowflake, Sun, X } from "lucide-react";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import type { CardRow } from "./card-row.ts";
import { useBulk } from "./use-bulk.ts";
import type { Progress } from "./use-bulk.ts";

/** What can be done to all selected cards. Each is a request of its own: the work shows how far it is, and can be stopped. */
export function BulkBar({
  cards,
  disabledReason,
  onClear,
}: {
  cards: readonly CardRow[];
  disabledReason: string | null;
  onClear: () => void;
}) {
  const { progress, run, stop, clear } = useBulk(cards);
  if (progress) {
    return (
      <BulkProgress
        onClose={() => {
          clear();
          onClear();
        }}
        onStop={stop}
        progress={progress}
      />
    );
  }
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <span className="mr-auto font-medium" role="status">
        {cards.length} selected
      </span>
      <GuardedButton disabledReason={disabledReason} onPress={() => void run("freeze")} size="sm">
        <Snowflake aria-hidden />
        Freeze
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => void run("unfreeze")}
        size="sm"
        variant="secondary"
      >
        <Sun aria-hidden />
        Unfreeze
      </GuardedButton>
      <LinkButton
        href={`/api/exports/cards?ids=${cards.map(({ id }) => id).join(",")}`}
        size="sm"
        variant="tertiary"
      >
        <Download aria-hidden />
        Export CSV
      </LinkButton>
      <Button aria-label="Clear selection" isIconOnly onPress={onClear} size="sm" variant="ghost">
        <X aria-hidden />
      </Button>
    </div>
  );
}

function BulkProgress({
  progress,
  onStop,
  onClose,
}: {
  progress: Progress;
  onStop: () => void;
  onClose: () => void;
}) {
  const { verb, done, total, problems, isRunning } = progress;
  return (
    <div className="flex flex-1 flex-col gap-2 py-1">
      <div className="flex items-center gap-3">
        <ProgressBar
          aria-label={`${verb} ${done} of ${total}`}
          className="flex-1"
          maxValue={Math.max(total, 1)}
          size="sm"
          value={done + problems.length}
        >
          <Label>
            <span role="status">
              {verb} {done} of {total}
            </span>
          </Label>
          <ProgressBar.Track>
            <ProgressBar.Fill />
          </ProgressBar.Track>
        </ProgressBar>
        {isRunning ? (
          <Button onPress={onStop} size="sm" variant="outline">
            Stop
          </Button>
        ) : (
          <Button onPress={onClose} size="sm" variant="outline">
            Done
          </Button>
        )}
      </div>
      {problems.length > 0 && (
        <ul className="text-declined text-xs" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
