import type { Metadata } from "next";
import { toMoments } from "../../ui/day-range.ts";
import { LIST_ROWS, readListQuery } from "../../list/list.ts";
import type { ListQueryOf, Search } from "../../list/list.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FloatLine } from "../../float/charts.tsx";
import { FLOAT } from "./float-list.ts";
import { FloatWarning } from "../../float/float-warning.tsx";
import { Statement } from "./statement.tsx";
import { Threshold } from "./threshold.tsx";
import { TopUp } from "../../float/top-up.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { getFloat } from "#lib/funds/float.ts";
import { countFloatEntries, listFloatEntries } from "#lib/funds/float-statement.ts";
import { getFloatDays } from "#lib/overview/float-days.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Float } from "#lib/funds/funds.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

export const metadata: Metadata = { title: "Float" };

export default personalPage(FloatPage);

async function FloatPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Search> },
) {
  const listQuery = readListQuery(FLOAT, await searchParams);
  const { float, days, ...lines } = await readPage(session, listQuery);
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
        action={
          <>
            <LinkButton href="/float/statement">Monthly statement</LinkButton>
            {topUp}
          </>
        }
        description="The prefunded balance behind your cards."
        title="Float"
      />
      <FloatWarning action={null} float={float} />
      <Standing float={float} disabledReason={roleDisabledReason(role, "account:write")} />
      {session.environment === "live" && <AddFunds />}
      <Panel title={`Balance, last ${days.length} days`}>
        <FloatLine currency={float.currency} days={days} threshold={float.lowBalanceThreshold} />
      </Panel>
      <Statement {...lines} listQuery={listQuery} session={session} topUp={topUp} />
    </>
  );
}

function readPage(session: StaffSession, { values, cursor }: ListQueryOf<typeof FLOAT>) {
  const { timeZone } = session;
  return readAs(session, async (ctx) => {
    const query = {
      kind: values.kind,
      cardId: values.card_id,
      ...toMoments(values, timeZone),
      cursor,
    };
    const float = await getFloat(ctx);
    const page = await listFloatEntries(ctx, { ...query, limit: LIST_ROWS });
    const ids = [...page.rows.map(({ cardId }) => cardId), values.card_id];
    const found = await findCards(
      ctx.db,
      ctx.actor.integratorId,
      ids.flatMap((id) => id ?? []),
    );
    return {
      float,
      page,
      left: await countFloatEntries(ctx, query),
      cards: new Map(found.map((card) => [card.id, card])),
      days: await getFloatDays(ctx, { float, timeZone }),
    };
  });
}

/** Explains how funds arrive in live, where this product cannot move funds in. */
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
      {float.deficit > 0 && (
        <div>
          <p className="text-muted text-xs">Owed</p>
          <p className="text-declined text-3xl font-semibold tracking-tight">
            <Money amount={float.deficit} currency={float.currency} />
          </p>
        </div>
      )}
      <Threshold
        currency={float.currency}
        disabledReason={disabledReason}
        threshold={float.lowBalanceThreshold}
      />
    </div>
  );
}
