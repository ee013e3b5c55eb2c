import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { toText } from "../../search-params.ts";
import type { Param } from "../../search-params.ts";
import { requireStaffPage } from "../../staff-page.ts";
import { LiveAccount } from "../../client/live-account.tsx";
import { CardName } from "../../ui/card-name.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { Time } from "../../ui/time.tsx";
import { LowBalance } from "./low-balance.tsx";
import { Threshold } from "./threshold.tsx";
import { TopUp } from "./top-up.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { getFloat, listFloatEntries } from "#lib/funds/float.ts";
import type { FloatEntry } from "#lib/funds/float.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { Float } from "#lib/funds/funds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

export const metadata: Metadata = { title: "Float" };

const ROWS = 50;

const COLUMNS: readonly Column[] = [
  { id: "what", name: "Type", narrow: "below" },
  { id: "card", name: "Card", narrow: "below" },
  { id: "at", name: "Date", align: "end", narrow: "below" },
  { id: "amount", name: "Amount", align: "end", narrow: "beside" },
  { id: "balance", name: "Balance", align: "end", narrow: "hidden" },
];

const KINDS: Readonly<Record<FloatEntry["kind"], string>> = {
  float_top_up: "Top-up",
  card_credit: "Card credit",
  card_debit: "Card debit",
  card_sweep: "Returned from closed card",
  card_purchase: "Purchase",
  card_refund: "Refund",
};

export default async function FloatPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: Param }>;
}) {
  const session = await requireStaffPage();
  const cursor = toCursor((await searchParams).cursor);
  const { float, page, cards } = await readPage(session, cursor);
  const { role } = session.actor.staff;
  const topUp =
    session.environment === "sandbox" ? (
      <TopUp
        available={float.available}
        currency={float.currency}
        disabledReason={roleDisabledReason(role, "sandbox:write")}
      />
    ) : undefined;
  return (
    <>
      <LiveAccount />
      <PageHeader
        action={topUp}
        description="The prefunded balance behind your cards."
        title="Float"
      />
      <LowBalance action={null} float={float} />
      <Standing float={float} disabledReason={roleDisabledReason(role, "account:write")} />
      {session.environment === "live" && <AddFunds />}
      <Panel
        action={
          <LinkButton href="/api/exports/float-entries" size="sm" variant="tertiary">
            <Download aria-hidden />
            Export CSV
          </LinkButton>
        }
        flush
        title="Statement"
      >
        <DataTable
          columns={COLUMNS}
          empty={
            <Empty action={topUp} title="No activity yet">
              Top up the float, then credit a card from it.
            </Empty>
          }
          label="Statement"
          rows={page.rows.map((entry) => toRow(entry, cards.get(entry.cardId ?? "")))}
        />
        <Pager
          range={{
            shown: page.rows.length,
            // The statement's lines are numbered without a gap.
            left: { rows: page.rows[0]?.version ?? 0, isExact: true },
          }}
          firstHref={cursor ? "/float" : null}
          nextHref={page.nextCursor && `/float?cursor=${page.nextCursor}`}
        />
      </Panel>
    </>
  );
}

function toCursor(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && /^[0-9]{1,15}$/u.test(text) ? text : undefined;
}

function readPage(session: StaffSession, cursor: string | undefined) {
  return readAs(session, async (ctx) => {
    const page = await listFloatEntries(ctx, { limit: ROWS, cursor });
    const ids = page.rows.flatMap(({ cardId }) => cardId ?? []);
    const found = await findCards(ctx.db, ctx.actor.integratorId, ids);
    return {
      float: await getFloat(ctx),
      page,
      cards: new Map(found.map((card) => [card.id, card])),
    };
  });
}

/** Where funds come from in live: this product moves none in. */
function AddFunds() {
  return (
    <div className="scroll-mt-8" id="add-funds">
      <Panel title="Add funds">
        <p className="max-w-2xl">
          Send a bank transfer to your settlement account with the card processor. When the
          processor reports the transfer, the float increases and the transfer appears in the
          statement below.
        </p>
      </Panel>
    </div>
  );
}

function Standing({ float, disabledReason }: { float: Float; disabledReason: string | null }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-6">
      <div>
        <p className="text-muted text-xs">Available</p>
        <p className="text-3xl font-semibold tracking-tight">
          <Money amount={float.available} currency={float.currency} />
        </p>
      </div>
      <Threshold
        currency={float.currency}
        disabledReason={disabledReason}
        threshold={float.lowBalanceThreshold}
      />
    </div>
  );
}

function toRow(entry: FloatEntry, card: Card | undefined) {
  const { version, kind, amount, currency, balanceAfter, createdAt } = entry;
  return {
    id: String(version),
    text: KINDS[kind],
    cells: [
      <RowName key="what" name={KINDS[kind]} />,
      card && (
        <Link href={`/cards/${card.id}`} key="card">
          <CardName card={card} />
        </Link>
      ),
      <Time at={createdAt} key="at" />,
      <Money amount={amount} currency={currency} key="amount" signed />,
      <Money amount={balanceAfter} currency={currency} key="balance" />,
    ],
  };
}
