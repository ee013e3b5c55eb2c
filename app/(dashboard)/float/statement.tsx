import { FLOAT } from "./float-list.ts";
import { StatementTable } from "./statement-table.tsx";
import type { StatementRow } from "./float-columns.tsx";
import { toCardOptions } from "../../list/card-options.ts";
import { isFiltered, toLook } from "../../list/list.ts";
import type { ListQueryOf } from "../../list/list.ts";
import { ListPanel } from "../../list/list-panel.tsx";
import { NothingFound } from "../../list/nothing-found.tsx";
import type { Elements } from "../../ui/elements.ts";
import { Empty } from "../../ui/empty.tsx";
import type { Count, Page } from "#lib/base/paging.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { FLOAT_KIND_NAMES } from "#lib/funds/float-kinds.ts";
import type { FloatEntry } from "#lib/funds/float-statement.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The float's lines, newest first, with their filters. */
export function Statement({
  listQuery,
  page,
  left,
  cards,
  session,
  topUp,
}: {
  listQuery: ListQueryOf<typeof FLOAT>;
  page: Page<FloatEntry>;
  /** How many lines there are from this page on. */
  left: Count;
  /** The cards on the page, and the one to filter by. */
  cards: ReadonlyMap<string, Card>;
  session: StaffSession;
  /** The action of an empty statement. */
  topUp: Elements;
}) {
  return (
    <ListPanel
      listQuery={listQuery}
      label="Statement"
      left={left}
      names={{ card_id: toCardOptions(cards.get(listQuery.values.card_id ?? "")) }}
      page={page}
      session={session}
      title="Statement"
    >
      <StatementTable
        empty={isFiltered(listQuery) ? <NothingFound list={FLOAT} /> : <NothingYet topUp={topUp} />}
        look={toLook(listQuery)}
        entries={page.rows.map((entry) => toRow(entry, cards.get(entry.cardId ?? "")))}
      />
    </ListPanel>
  );
}

function NothingYet({ topUp }: { topUp: Elements }) {
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
