"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { OPERATIONS } from "../client/operations.ts";
import { usePaused } from "../client/use-paused.ts";
import { Disclosed } from "../ui/disclosed.tsx";
import { BacktestDetails } from "./backtest-details.tsx";
import { toBacktestText } from "./backtest-text.ts";
import { ApiProblem, callApi } from "#lib/api/client.ts";
import type { BodyOf } from "#lib/api/client.ts";
import { hasControls } from "#lib/cards/spending-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";

const DAYS = 30;

/** Within this time, the same controls are not tried again. */
const STALE_MS = 60_000;

const NOTHING_DECLINED = "Everything may be bought: no purchase would be declined.";

/** A pause in typing, because each trial replays all purchases. */
const PAUSE_MS = 500;

/** What the edited controls would have declined, on one card or on all. */
export function BacktestPreview({
  controls,
  problem,
  cardId,
}: {
  /** Null for none. */
  controls: SpendingControls | null;
  /** Why they cannot be tried yet. */
  problem: string | null;
  /** Null for all cards. */
  cardId: string | null;
}) {
  const isTried = problem === null && controls !== null && hasControls(controls);
  const { found, error, isCurrent } = useBacktest(
    { spending_controls: controls ?? {}, card_id: cardId, days: DAYS },
    isTried,
  );
  const text = found ? toBacktestText(found) : toWaitingText(error);
  return (
    <>
      <Status isCurrent={isCurrent} text={isTried ? text : (problem ?? NOTHING_DECLINED)} />
      {found && (
        <div
          className="text-foreground rounded-lg border"
          hidden={!isTried || found.declined.count === 0}
          inert={!isCurrent}
        >
          <Disclosed summary={<span className="font-medium">What would have been declined</span>}>
            <BacktestDetails found={found} isOfCard={cardId !== null} />
          </Disclosed>
        </div>
      )}
    </>
  );
}

/** Stays visible while the fields above it scroll. */
function Status({ text, isCurrent = false }: { text: string; isCurrent?: boolean }) {
  return (
    <p
      className={`border-separator bg-overlay sticky -bottom-1 -mx-6 border-t px-6 py-3 ${isCurrent ? "text-foreground" : "text-muted"}`}
      role="status"
    >
      {text}
    </p>
  );
}

type Body = BodyOf<typeof OPERATIONS.backtestCards>;

/** The result for these controls once nothing has changed for a moment; until then, the previous result. */
function useBacktest(body: Body, isTried: boolean) {
  const asked = usePaused(JSON.stringify(body), PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["backtest", body],
    queryFn: ({ signal }) => callApi(OPERATIONS.backtestCards, { body }, { signal }),
    enabled: asked !== null && isTried,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: STALE_MS,
  });
  const found = error ? undefined : data?.data;
  return { found, error, isCurrent: isTried && found !== undefined && !isPlaceholderData };
}

function toWaitingText(error: Error | null): string {
  if (error instanceof ApiProblem) {
    const [first] = Object.values(error.problem.errors ?? {}).flat();
    return first ?? error.problem.detail;
  }
  return error
    ? "Couldn't try these controls on earlier purchases."
    : `Trying these controls on the last ${DAYS} days…`;
}
