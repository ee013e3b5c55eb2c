"use client";

import { Label, Modal, ProgressBar } from "@heroui/react";
import { CircleCheck, CircleMinus, CirclePause, TriangleAlert } from "lucide-react";
import { Link } from "../../../ui/link.tsx";
import type { Elements } from "../../../ui/elements.ts";
import { Button } from "../../../ui/button.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { toCount } from "./bulk-card.ts";
import type { BulkCard } from "./bulk-card.ts";
import { canUndo } from "./use-bulk.ts";
import type { BulkRun, CardResult } from "./use-bulk.ts";

/** The progress of a run, and the result of each card. It stays until it is dismissed. */
export function BulkResults({
  run,
  onStop,
  onUndo,
  onClose,
}: {
  run: BulkRun;
  onStop: () => void;
  onUndo: () => void;
  onClose: () => void;
}) {
  const undoable = canUndo(run);
  return (
    <>
      <Modal.Body className="flex flex-col gap-4">
        <Progress run={run} />
        <Results run={run} />
      </Modal.Body>
      <Modal.Footer>
        {run.isRunning ? (
          <Button onPress={onStop} variant="outline">
            Stop
          </Button>
        ) : (
          <>
            {undoable > 0 && (
              <Button onPress={onUndo} variant="tertiary">{`Undo for ${toCount(undoable)}`}</Button>
            )}
            <Button autoFocus onPress={onClose}>
              Done
            </Button>
          </>
        )}
      </Modal.Footer>
    </>
  );
}

function Progress({ run }: { run: BulkRun }) {
  const { job, results } = run;
  const total = job.cards.length;
  const settled = job.cards.filter(({ id }) => results.has(id)).length;
  const done = count(run, "done");
  return (
    <ProgressBar
      aria-label={`${job.verb} ${done} of ${total}`}
      maxValue={Math.max(total, 1)}
      size="sm"
      value={settled}
    >
      <Label>
        <span role="status">{`${job.verb} ${done} of ${total}${toRest(run)}`}</span>
      </Label>
      <ProgressBar.Track>
        <ProgressBar.Fill />
      </ProgressBar.Track>
    </ProgressBar>
  );
}

function toRest(run: BulkRun): string {
  const parts = [
    [count(run, "skipped"), "skipped"],
    [count(run, "failed"), "failed"],
    [count(run, "unsent"), "not started"],
  ] as const;
  return parts.flatMap(([number, name]) => (number > 0 ? ` · ${number} ${name}` : [])).join("");
}

function count({ results }: BulkRun, kind: CardResult["kind"]): number {
  return [...results.values()].filter((result) => result.kind === kind).length;
}

/** Results that need attention come first. */
const KINDS = ["failed", "unsent", "done", "skipped"] as const;

const ICONS = {
  failed: <TriangleAlert aria-hidden className="text-declined mt-0.5 size-4 shrink-0" />,
  unsent: <CirclePause aria-hidden className="text-pending mt-0.5 size-4 shrink-0" />,
  skipped: <CircleMinus aria-hidden className="text-muted mt-0.5 size-4 shrink-0" />,
  done: <CircleCheck aria-hidden className="text-active mt-0.5 size-4 shrink-0" />,
} as const;

function Results({ run: { job, results } }: { run: BulkRun }) {
  const cards = [...job.cards, ...job.skipped.map(({ card }) => card)];
  const rows = KINDS.flatMap((kind) =>
    cards.flatMap((card) => {
      const result = results.get(card.id);
      return result?.kind === kind ? [{ card, result }] : [];
    }),
  );
  return (
    <ul aria-label="Results" className="divide-separator border-border divide-y rounded-lg border">
      {rows.map(({ card, result }) => (
        <Row card={card} key={card.id} result={result} verb={job.verb} />
      ))}
    </ul>
  );
}

/** The link opens a new tab, because leaving the page would lose the results. */
function Row({ card, result, verb }: { card: BulkCard; result: CardResult; verb: string }) {
  const icon: Elements = ICONS[result.kind];
  return (
    <li className="flex items-start gap-2 px-3 py-2">
      {icon}
      <span className="min-w-0 flex-1">
        <Link
          className="underlined-link block truncate"
          href={`/cards/${card.id}`}
          rel="noopener"
          target="_blank"
        >
          <bdi>{toCardTitle(card.name, card.last4)}</bdi>
          <span className="sr-only"> (opens in a new tab)</span>
        </Link>
        <span className="text-muted block text-xs">{toText(result, verb)}</span>
      </span>
    </li>
  );
}

function toText(result: CardResult, verb: string): string {
  if (result.kind === "done") {
    return verb;
  }
  return result.kind === "unsent"
    ? "Stopped before this card. Nothing was changed."
    : `${result.kind === "failed" ? "Failed" : "Skipped"}. ${result.why}`;
}
