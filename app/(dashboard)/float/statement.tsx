import type { ReactNode } from "react";
import type { Param } from "../../ui/search-params.ts";
import { DateRanges } from "../../ui/date-ranges.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ExportCsv } from "../../client/export-csv.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { IgnoredFilters } from "../../ui/ignored-filters.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Pager, toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toQuery } from "../../ui/day-range.ts";
import { toFilterWords } from "./filter.ts";
import type { Filter } from "./filter.ts";
import { StatementFilters } from "./statement-filters.tsx";
import { StatementTable } from "./statement-table.tsx";
import type { StatementRow } from "./statement-table.tsx";
import type { Count, Page } from "#lib/base/paging.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { FLOAT_KIND_NAMES } from "#lib/funds/float-kinds.ts";
import type { FloatEntry } from "#lib/funds/float-statement.ts";

const PATH = "/float";

/** The float's lines, newest first, with their filters. */
export function Statement({
  search,
  filter,
  page,
  left,
  cards,
  isFirst,
  timeZone,
  topUp,
}: {
  /** The members of the URL, as they were given. */
  search: Readonly<Record<string, Param>>;
  filter: Filter;
  page: Page<FloatEntry>;
  /** How many lines there are from this page on. */
  left: Count;
  /** The cards on the page, and the one to filter by. */
  cards: ReadonlyMap<string, Card>;
  isFirst: boolean;
  timeZone: string;
  /** The action of an empty statement. */
  topUp: ReactNode;
}) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Panel
      action={
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <DateRanges filter={filter} path={PATH} timeZone={timeZone} />
          <StatementFilters filter={filter} />
          <ExportCsv href={toHref("/api/exports/float-entries", toQuery(filter, timeZone))} />
        </div>
      }
      flush
      title="Statement"
    >
      <IgnoredFilters given={search} used={{ ...filter }} />
      <FilterChips
        clearHref={PATH}
        filter={{ ...filter }}
        path={PATH}
        words={toFilterWords(filter, cards.get(filter.card_id ?? ""))}
      />
      <StatementTable
        empty={isFiltered ? <NothingFound /> : <NothingYet topUp={topUp} />}
        entries={page.rows.map((entry) => toRow(entry, cards.get(entry.cardId ?? "")))}
      />
      <Pager
        firstHref={isFirst ? null : toHref(PATH, { ...filter })}
        nextHref={page.nextCursor && toHref(PATH, { ...filter, cursor: page.nextCursor })}
        range={{ shown: page.rows.length, left }}
      />
    </Panel>
  );
}

function NothingFound() {
  return (
    <Empty
      action={<LinkButton href={PATH}>Show all activity</LinkButton>}
      title="No activity found"
    >
      Nothing in the statement matches these filters.
    </Empty>
  );
}

function NothingYet({ topUp }: { topUp: ReactNode }) {
  return (
    <Empty action={topUp} title="No activity yet">
      Top up the float, then credit a card from it.
    </Empty>
  );
}

function toRow(entry: FloatEntry, card: Card | undefined): StatementRow {
  const { version, kind, narrative, createdAt, amount, balanceAfter, currency } = entry;
  return {
    id: String(version),
    name: FLOAT_KIND_NAMES[kind],
    narrative,
    card: card ? { id: card.id, cardName: card.cardName, last4: card.last4 } : null,
    createdAt: createdAt.toISOString(),
    amount,
    balanceAfter,
    currency,
  };
}
