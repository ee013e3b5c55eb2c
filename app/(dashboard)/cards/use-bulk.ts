"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { CardRow } from "./cards-table.tsx";
import { ApiProblem, callApi, isLost } from "#lib/api/client.ts";
import { newId } from "#lib/ids.ts";

const freezeCard = () =>
  import("#lib/api/contract/cards.ts").then((contract) => contract.freezeCard);
const unfreezeCard = () =>
  import("#lib/api/contract/cards.ts").then((contract) => contract.unfreezeCard);

const AT_ONCE = 4;

/** How far the work on many cards is. */
export interface Progress {
  verb: string;
  done: number;
  total: number;
  problems: readonly string[];
  isRunning: boolean;
}

const ACTS = {
  freeze: { operation: freezeCard, verb: "Frozen" },
  unfreeze: { operation: unfreezeCard, verb: "Unfrozen" },
} as const;

/** One act on many cards, a request each, a few at once; what has not begun when it is stopped is left as it is. */
export function useBulk(cards: readonly CardRow[]) {
  const router = useRouter();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopped = useRef(false);
  const run = async (act: keyof typeof ACTS) => {
    const { operation, verb } = ACTS[act];
    stopped.current = false;
    const waiting = cards.filter(({ status }) => status !== "closed");
    const state = { verb, done: 0, total: waiting.length, isRunning: true };
    const problems: string[] = [];
    setProgress({ ...state, problems });
    const work = async () => {
      for (let card = waiting.shift(); card && !stopped.current; card = waiting.shift()) {
        const problem = await attempt(operation, card);
        if (problem === null) {
          state.done += 1;
        } else {
          problems.push(problem);
        }
        setProgress({ ...state, problems: [...problems] });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setProgress({ ...state, problems, isRunning: false });
    router.refresh();
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

/** One card; answers what went wrong in a sentence. A lost answer is asked for again under the same key. */
async function attempt(
  operation: (typeof ACTS)[keyof typeof ACTS]["operation"],
  card: CardRow,
): Promise<string | null> {
  const options = { idempotencyKey: newId() };
  const ask = () => callApi(operation, { id: card.id, body: {} }, options);
  try {
    await ask().catch((error: unknown) => {
      if (isLost(error)) {
        return ask();
      }
      throw error;
    });
    return null;
  } catch (error) {
    return `${card.text}: ${error instanceof ApiProblem ? error.problem.detail : "no answer came"}`;
  }
}
