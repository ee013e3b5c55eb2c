import { ExportCsv } from "../../../../client/export-csv.tsx";
import { CardName } from "../../../../ui/card-name.tsx";
import { DataTable } from "../../../../ui/data-table.tsx";
import type { Column } from "../../../../ui/data-table.tsx";
import { Empty } from "../../../../ui/empty.tsx";
import { LinkButton } from "../../../../ui/link-button.tsx";
import { Money } from "../../../../ui/money.tsx";
import { Pager, toHref } from "../../../../ui/pager.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { Reason } from "../reason.tsx";
import { SegmentedLinks } from "../../../../ui/segmented-links.tsx";
import { toCountWords, toStateWord } from "../job-words.ts";
import type { FoundJob } from "./find-job.ts";
import type { BulkItem, BulkJob, ItemState } from "#lib/bulk/bulk-job.ts";
import type { Card } from "#lib/cards/card-resource.ts";

const COLUMNS: readonly Column[] = [
  { id: "card", name: "Card", narrow: "below" },
  { id: "result", name: "Result", narrow: "below", isCut: true },
];
const AMOUNT: Column = { id: "amount", name: "Amount", align: "end", narrow: "beside" };

/** What became of each card of a job, which can be narrowed down to one outcome. */
export function JobResults({
  found: { job, results, cards },
  currency,
  state,
  isFirst,
}: {
  found: FoundJob;
  /** The account's, of which all its cards are. */
  currency: string;
  state: ItemState | undefined;
  isFirst: boolean;
}) {
  const path = `/cards/bulk/${job.id}`;
  const isMove = job.operation === "credit" || job.operation === "debit";
  return (
    <Panel
      action={
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <SegmentedLinks label="Result" links={toLinks(job, path, state)} />
          <ExportCsv href={toHref(`/api/exports/bulk-results/${job.id}`, { state })} />
        </div>
      }
      flush
      title="Results"
    >
      <DataTable
        columns={isMove ? [...COLUMNS, AMOUNT] : COLUMNS}
        empty={
          <Empty
            action={state && <LinkButton href={path}>Show all results</LinkButton>}
            title="No cards"
          >
            {state ? "No card of this job ended this way." : "No card matched."}
          </Empty>
        }
        label="Results"
        rows={results.rows.map((item) => {
          const row = toRow(job, item, cards.get(item.cardId));
          return isMove ? { ...row, cells: [...row.cells, toAmount(item, currency)] } : row;
        })}
      />
      <Pager
        firstHref={isFirst ? null : toHref(path, { state })}
        nextHref={results.nextCursor && toHref(path, { state, cursor: results.nextCursor })}
      />
    </Panel>
  );
}

/** All results, and each outcome that some card has. */
function toLinks(job: BulkJob, path: string, state: ItemState | undefined) {
  const outcomes = toCountWords(job).map(({ state: each, word, count }) => ({
    name: `${word} ${count}`,
    href: toHref(path, { state: each }),
    isCurrent: state === each,
  }));
  return [{ name: "All", href: path, isCurrent: state === undefined }, ...outcomes];
}

function toRow(job: BulkJob, item: BulkItem, card: Card | undefined) {
  const { cardId, state, detail } = item;
  return {
    id: `${item.position}`,
    ...(card && { href: `/cards/${cardId}` }),
    text: cardId,
    cells: [
      card ? (
        <CardName card={card} key="card" />
      ) : (
        <span className="font-mono text-xs" key="card">
          {cardId}
        </span>
      ),
      <Reason isBad={state === "refused"} key="result">
        {detail === null ? toStateWord(job, state) : `${toStateWord(job, state)}. ${detail}`}
      </Reason>,
    ],
  };
}

function toAmount({ amount }: BulkItem, currency: string) {
  return amount === null ? (
    <span key="amount">All</span>
  ) : (
    <Money amount={amount} currency={currency} key="amount" />
  );
}
