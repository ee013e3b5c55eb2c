"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { BulkCard, Plan, Skipped } from "./bulk-card.ts";
import type { CardResource } from "../[id]/acts.ts";
import { isStatusChanged } from "../status-change.ts";
import type { StatusAnswer } from "../status-change.ts";
import { ApiProblem, OfflineError } from "#lib/api/client.ts";

const AT_ONCE = 4;

/** The result of one card. `unsent`: the run was stopped before its turn. */
export type CardResult =
  | { kind: "done"; after: CardResource }
  | { kind: "skipped" | "failed"; why: string }
  | { kind: "unsent" };

/** One change to many cards. */
export interface Job {
  /** What happened to a changed card, as a heading: "Frozen". */
  verb: string;
  cards: readonly BulkCard[];
  skipped: readonly Skipped[];
  change: (card: BulkCard) => Promise<StatusAnswer>;
  /** Why a card already in the target state is skipped. */
  toUnchanged: (card: CardResource) => string;
  /** Undoes the change of one card; null if the job is itself an undo. */
  undo: ((card: BulkCard, after: CardResource) => Promise<StatusAnswer>) | null;
}

/** The props of a form that asks before a job. */
export interface JobFormProps {
  plan: Plan;
  onStart: (job: Job) => void;
  onCancel: () => void;
}

/** The progress of a job: the result of each card, by its id. */
export interface BulkRun {
  job: Job;
  results: ReadonlyMap<string, CardResult>;
  isRunning: boolean;
}

/** How many cards an undo would concern: those that the run itself changed. */
export function canUndo({ job, results, isRunning }: BulkRun): number {
  if (isRunning || !job.undo) {
    return 0;
  }
  return [...results.values()].filter(({ kind }) => kind === "done").length;
}

/** Undoes what a run changed. The server refuses every card whose status has changed since. */
export function toUndo({ job, results }: BulkRun): Job {
  const { undo } = job;
  const changed = new Map(
    [...results].flatMap(([id, result]) =>
      result.kind === "done" ? [[id, result.after] as const] : [],
    ),
  );
  return {
    verb: "Undone",
    cards: job.cards.filter(({ id }) => changed.has(id)),
    skipped: [],
    change: async (card) => {
      const after = changed.get(card.id);
      if (!undo || !after) {
        throw new Error(`The change of card ${card.id} cannot be undone.`);
      }
      return undo(card, after);
    },
    toUnchanged: () => "Already as it was.",
    undo: null,
  };
}

/**
 * Runs a job: a request for each card, a few at a time. When it is stopped, the browser goes offline, or the session
 * ends, nothing more is sent, and requests in progress are completed.
 */
export function useBulk() {
  const router = useRouter();
  const [run, setRun] = useState<BulkRun | null>(null);
  const isStopped = useRef(false);
  const isRunning = run?.isRunning === true;
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isRunning) {
      window.addEventListener("beforeunload", stay);
    }
    return () => window.removeEventListener("beforeunload", stay);
  }, [isRunning]);
  const start = async (job: Job) => {
    isStopped.current = false;
    const results = new Map<string, CardResult>(
      job.skipped.map(({ card, why }) => [card.id, { kind: "skipped", why }]),
    );
    const show = (running: boolean) =>
      setRun({ job, results: new Map(results), isRunning: running });
    const waiting = [...job.cards];
    show(true);
    const work = async () => {
      for (let card = waiting.shift(); card; card = waiting.shift()) {
        results.set(
          card.id,
          isStopped.current ? { kind: "unsent" } : await attempt(job, card, isStopped),
        );
        show(true);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    show(false);
    // A failed refresh would replace the page with the browser's error page.
    if (navigator.onLine) {
      router.refresh();
    }
  };
  return {
    run,
    start: (job: Job) => void start(job),
    stop: () => {
      isStopped.current = true;
    },
  };
}

/** One card. A failure that every other card would meet too stops the run. */
async function attempt(
  job: Job,
  card: BulkCard,
  isStopped: { current: boolean },
): Promise<CardResult> {
  try {
    const { card: after, isChanged } = await job.change(card);
    return isChanged ? { kind: "done", after } : { kind: "skipped", why: job.toUnchanged(after) };
  } catch (error) {
    isStopped.current ||= isGeneral(error);
    const kind = isStatusChanged(error) ? "skipped" : "failed";
    return { kind, why: toSentence(error) };
  }
}

function isGeneral(error: unknown): boolean {
  const isSignedOut = error instanceof ApiProblem && error.problem.status === 401;
  return error instanceof OfflineError || isSignedOut;
}

function toSentence(error: unknown): string {
  if (error instanceof OfflineError) {
    return "You're offline, so this isn't confirmed.";
  }
  if (!(error instanceof ApiProblem)) {
    return "No response, so this may or may not have been done. Open the card to check.";
  }
  const { problem } = error;
  return problem.status === 401 ? "Your session has ended. Sign in and try again." : problem.detail;
}
