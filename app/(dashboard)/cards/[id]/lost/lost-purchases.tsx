"use client";

import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { toPurchaseLines } from "./lost-case.ts";
import type { CasePurchase } from "./lost-case.ts";
import { copyText } from "../../../../client/copy-text.ts";
import { OPERATIONS } from "../../../../client/operations.ts";
import { ProblemAlert } from "../../../../client/problem-alert.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Choice } from "../../../../ui/choice.tsx";
import { Money } from "../../../../ui/money.tsx";
import { TextInput } from "../../../../ui/text-input.tsx";
import { toMinute } from "../../../../ui/time-format.ts";
import { useTimeZone } from "../../../../ui/time-zone.tsx";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";
import { toLocalMoment } from "#lib/base/time-zone.ts";
import { TRANSACTION_STATUS_NAMES } from "#lib/transactions/transaction-kinds.ts";

const HOUR_MS = 3_600_000;

const SINCE = [
  { id: "24", name: "24 hours ago" },
  { id: "72", name: "3 days ago" },
  { id: "168", name: "7 days ago" },
  { id: "720", name: "30 days ago" },
  { id: "date", name: "A date and time" },
] as const;

type Since = (typeof SINCE)[number]["id"];

/** About as many as a person looks through. */
const SHOWN = "100";

/** The card's purchases since a time. The person marks those that the cardholder did not make. */
export function LostPurchases({
  cardId,
  suspicious,
  noted,
  onMark,
}: {
  cardId: string;
  suspicious: readonly CasePurchase[];
  /** The marked purchases that already have a note. They stay marked. */
  noted: readonly string[];
  onMark: (suspicious: readonly CasePurchase[]) => void;
}) {
  const timeZone = useTimeZone();
  const [since, setSince] = useState<Since>("72");
  const [typed, setTyped] = useState("");
  // When the dialog was opened. Fixed, so that the list does not move while somebody reads it.
  const [openedAt] = useState(() => Date.now());
  const from = since === "date" ? toLocalMoment(typed, timeZone) : toEarlier(openedAt, since);
  const { data, error } = usePurchases(cardId, from?.toISOString());
  const toggle = (purchase: CasePurchase) => {
    const others = suspicious.filter(({ id }) => id !== purchase.id);
    onMark(others.length < suspicious.length ? others : [...suspicious, purchase]);
  };
  return (
    <section aria-label="Purchases" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Purchases since" onChange={setSince} options={SINCE} value={since} />
        {since === "date" && (
          <TextInput label="Since" onChange={setTyped} type="datetime-local" value={typed} />
        )}
        <CopyMarked suspicious={suspicious} />
      </div>
      <ProblemAlert error={error} />
      <Purchases
        isMarked={({ id }) => suspicious.some((each) => each.id === id)}
        isNoted={({ id }) => noted.includes(id)}
        isWaiting={!data && !error && from !== undefined}
        onToggle={toggle}
        purchases={data?.purchases ?? []}
      />
      {data?.isCut && <p>{`Only the newest ${SHOWN} are shown.`}</p>}
    </section>
  );
}

function CopyMarked({ suspicious }: { suspicious: readonly CasePurchase[] }) {
  const timeZone = useTimeZone();
  const lines = toPurchaseLines(suspicious, (at) => toMinute(new Date(at), timeZone));
  return (
    lines.length > 0 && (
      <Button
        onPress={() => void copyText(lines.join("\n"), "Copied the suspicious purchases.")}
        variant="secondary"
      >
        <Copy aria-hidden />
        <span>{`Copy ${suspicious.length} marked`}</span>
      </Button>
    )
  );
}

function toEarlier(now: number, hours: string): Date {
  return new Date(now - Number(hours) * HOUR_MS);
}

function usePurchases(cardId: string, from: string | undefined) {
  return useQuery({
    queryKey: ["purchases", cardId, from],
    enabled: from !== undefined,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { type: "deduct", from, limit: SHOWN };
      const { data, next_cursor } = await callApi(
        OPERATIONS.listCardTransactions,
        { id: cardId, query },
        { signal },
      );
      return { purchases: data.map(toPurchase), isCut: next_cursor !== null };
    },
  });
}

type Transaction = AnswerOf<typeof OPERATIONS.listCardTransactions>["data"][number];

function toPurchase({
  id,
  narrative,
  merchant,
  amount,
  currency,
  status,
  created_at,
}: Transaction) {
  return {
    id,
    name: narrative ?? merchant?.name ?? "Purchase",
    amount,
    currency,
    status: TRANSACTION_STATUS_NAMES[status],
    at: created_at,
  };
}

function Purchases({
  purchases,
  isWaiting,
  isMarked,
  isNoted,
  onToggle,
}: {
  purchases: readonly CasePurchase[];
  isWaiting: boolean;
  isMarked: (purchase: CasePurchase) => boolean;
  isNoted: (purchase: CasePurchase) => boolean;
  onToggle: (purchase: CasePurchase) => void;
}) {
  const timeZone = useTimeZone();
  if (purchases.length === 0) {
    return (
      <p aria-live="polite">{isWaiting ? "Loading purchases…" : "No purchases since then."}</p>
    );
  }
  return (
    <>
      <p>Mark what the cardholder did not buy. Each gets a note.</p>
      <ul className="border-separator divide-separator max-h-56 divide-y overflow-y-auto rounded-lg border">
        {purchases.map((purchase) => (
          <li className="px-3 py-2" key={purchase.id}>
            <Checkbox
              className="w-full"
              isDisabled={isNoted(purchase)}
              isSelected={isMarked(purchase)}
              onChange={() => onToggle(purchase)}
            >
              <span className="flex justify-between gap-x-3">
                <bdi className="min-w-0 wrap-anywhere">{purchase.name}</bdi>
                <Money amount={purchase.amount} currency={purchase.currency} />
              </span>
              <span className="text-muted text-xs">
                {`${toMinute(new Date(purchase.at), timeZone)} · ${purchase.status}`}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
    </>
  );
}
