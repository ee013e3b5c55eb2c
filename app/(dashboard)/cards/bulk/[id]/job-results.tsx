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
import { FREEZE_LEVEL_NAMES } from "#lib/cards/card-state.ts";

/** The outcome for each card of a job. The list can be filtered by outcome. */
export function JobResults({
  found,
  currency,
  state,
  cursor,
}: {
  found: FoundJob;
  /** The currency of the account and all its cards. */
  currency: string;
  state: ItemState | undefined;
  cursor: string | undefined;
}) {
  const { job, results, cards } = found;
  const path = `/cards/bulk/${job.id}`;
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
        columns={toColumns(found, currency)}
        empty={
          <Empty
            action={state && <LinkButton href={path}>Show all results</LinkButton>}
            title="No cards"
          >
            {state ? "No card of this job ended this way." : "No card matched."}
          </Empty>
        }
        label="Results"
        hrefOf={({ cardId }) => (cards.has(cardId) ? `/cards/${cardId}` : undefined)}
        idOf={({ position }) => String(position)}
        items={results.rows}
      />
      <Pager
        cursor={cursor}
        hrefOf={(each) => toHref(path, { state, cursor: each })}
        nextCursor={results.nextCursor}
      />
    </Panel>
  );
}

/** Links to all results, and to each outcome that occurred. */
function toLinks(job: BulkJob, path: string, state: ItemState | undefined) {
  const outcomes = toCountWords(job).map(({ state: each, word, count }) => ({
    name: `${word} ${count}`,
    href: toHref(path, { state: each }),
    isCurrent: state === each,
  }));
  return [{ name: "All", href: path, isCurrent: state === undefined }, ...outcomes];
}

/** The job's columns. A job that moves funds also has a column for amounts, and an undo of freezes one for levels. */
function toColumns({ job, cards }: FoundJob, currency: string): readonly Column<BulkItem>[] {
  const card: Column<BulkItem> = {
    id: "card",
    name: "Card",
    narrow: "below",
    cell: ({ cardId }) => {
      const found = cards.get(cardId);
      return found ? (
        <CardName card={found} />
      ) : (
        <span className="font-mono text-xs">{cardId}</span>
      );
    },
  };
  const result: Column<BulkItem> = {
    id: "result",
    name: "Result",
    narrow: "below",
    isCut: true,
    cell: ({ state, detail }) => (
      <Reason isBad={state === "refused"}>
        {detail === null ? toStateWord(job, state) : `${toStateWord(job, state)}. ${detail}`}
      </Reason>
    ),
  };
  const amount: Column<BulkItem> = {
    id: "amount",
    name: "Amount",
    align: "end",
    narrow: "beside",
    cell: (item) =>
      item.amount === null ? "All" : <Money amount={item.amount} currency={currency} />,
  };
  const level: Column<BulkItem> = {
    id: "level",
    name: "Level",
    narrow: "beside",
    cell: (item) => (item.level === null ? null : FREEZE_LEVEL_NAMES[item.level]),
  };
  if (job.undoes !== null && job.operation !== "set_spending_controls") {
    return [card, level, result];
  }
  const isMove = job.operation === "credit" || job.operation === "debit";
  return isMove ? [card, result, amount] : [card, result];
}
