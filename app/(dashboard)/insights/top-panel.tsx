import { SpendPanel } from "./spend-panel.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toDaysTitle } from "../../statement/period-title.ts";
import { MOVEMENTS_MAX } from "#lib/overview/top-spend.ts";
import type { TopSpend } from "#lib/overview/top-spend.ts";

const NOUNS = { card_id: "card", user_id: "cardholder", merchant: "merchant" } as const;

/** The cards, the cardholders, or the merchants with the highest spending. Each row links to its transactions. */
export function TopPanel({
  top: { sums, count, whole },
  since,
  member,
  names,
  currency,
  posted,
}: {
  top: TopSpend;
  /** The first day that counts, if it is not the first day of the period. */
  since: string | null;
  /** The filter of the list of transactions that a row sets. */
  member: keyof typeof NOUNS;
  /** The names of cards and cardholders, by id. */
  names: ReadonlyMap<string, string>;
  currency: string;
  /** The days of the period, as filters of the list of transactions. */
  posted: Readonly<Record<"posted_from" | "posted_to", string>>;
}) {
  const noun = NOUNS[member];
  const note = toNote({ shown: sums.length, count, since, noun });
  if (sums.length === 0) {
    return <Panel title={`By ${noun}`}>{note}</Panel>;
  }
  return (
    <SpendPanel
      currency={currency}
      member={member}
      note={note && <div className="px-4 pb-3">{note}</div>}
      posted={since === null ? posted : { ...posted, posted_from: since }}
      sums={sums}
      title={`By ${noun}`}
      toName={(name) => names.get(name) ?? name}
      whole={whole}
    />
  );
}

/** Says which part of the period is missing, and how many rows are not shown. */
function toNote({
  shown,
  count,
  since,
  noun,
}: {
  shown: number;
  count: number;
  since: string | null;
  noun: string;
}) {
  const newest = `the newest ${MOVEMENTS_MAX.toLocaleString("en-US")} movements of funds`;
  const parts = [
    count > shown && `The top ${shown} of ${count.toLocaleString("en-US")} ${noun}s.`,
    since !== null &&
      (shown > 0
        ? `From ${toDaysTitle({ first: since, last: since })} on: only ${newest} are counted by ${noun}.`
        : `One day has more than ${newest}, which are all that is counted by ${noun}.`),
  ].filter((part) => part !== false);
  return parts.length > 0 && <p className="text-muted">{parts.join(" ")}</p>;
}
