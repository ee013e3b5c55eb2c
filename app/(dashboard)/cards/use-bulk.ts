"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { CardRow } from "./card-row.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { ApiProblem, callChange, OfflineError } from "#lib/api/client.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { newId } from "#lib/base/ids.ts";

const AT_ONCE = 4;

const OFFLINE = "you're offline, so this isn't confirmed. The remaining cards were not changed.";

/** How far the work on many cards is. */
export interface Progress {
  verb: string;
  done: number;
  total: number;
  problems: readonly string[];
  isRunning: boolean;
}

const ACTS = {
  freeze: { operation: OPERATIONS.freezeCard, verb: "Frozen" },
  unfreeze: { operation: OPERATIONS.unfreezeCard, verb: "Unfrozen" },
} as const;

/**
 * One act on many cards, a request each, a few at once; what has not begun when it is stopped, or when the browser goes
 * offline, is left as it is. Cards whose state does not allow the act say why, without a request.
 */
export function useBulk(cards: readonly CardRow[]) {
  const router = useRouter();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopped = useRef(false);
  const run = async (act: keyof typeof ACTS) => {
    const { operation, verb } = ACTS[act];
    stopped.current = false;
    const waiting = [...cards];
    const state = { verb, done: 0, total: cards.length, isRunning: true };
    const problems: string[] = [];
    setProgress({ ...state, problems });
    const work = async () => {
      for (let card = waiting.shift(); card && !stopped.current; card = waiting.shift()) {
        const problem = cardCan[act](card)?.detail ?? (await attempt(operation, card));
        if (problem === null) {
          state.done += 1;
        } else {
          problems.push(`${card.text}: ${problem}`);
        }
        stopped.current ||= problem === OFFLINE;
        setProgress({ ...state, problems: [...problems] });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setProgress({ ...state, problems, isRunning: false });
    if (navigator.onLine) {
      router.refresh();
    }
  };
  return {
    progress,
    run,
    stop: () => {
      stopped.current = true;
    },
    clear: () => setProgress(null),
  };
}

/** One card; answers what went wrong in a sentence. Once begun it is seen through. */
async function attempt(
  operation: (typeof ACTS)[keyof typeof ACTS]["operation"],
  card: CardRow,
): Promise<string | null> {
  const { signal } = new AbortController();
  const options = { idempotencyKey: newId(), signal };
  try {
    await callChange(operation, { id: card.id, body: {} }, options);
    return null;
  } catch (error) {
    if (error instanceof OfflineError) {
      return OFFLINE;
    }
    return error instanceof ApiProblem ? error.problem.detail : "no response.";
  }
}
