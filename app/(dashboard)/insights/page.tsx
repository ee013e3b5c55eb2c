import type { Metadata } from "next";
import { DeclineBars } from "./decline-bars.tsx";
import { DeclinesPanel } from "./declines-panel.tsx";
import { TopPanel } from "./top-panel.tsx";
import { ExpandablePanel } from "./spend-panel.tsx";
import { toTransactionCount } from "./transaction-count.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { toBarDays } from "../../chart/chart-bars.ts";
import { LiveAccount } from "../../client/live-account.tsx";
import { PeriodBar } from "../../statement/period-bar.tsx";
import { PERIOD_MEMBERS, toPeriodQuery } from "../../statement/period-search.ts";
import type { PeriodSearch } from "../../statement/period-search.ts";
import { requireDays, toDaysTitle, toPeriodTitle } from "../../statement/period-title.ts";
import { toSpendCategoryName, toSpendCountryName } from "../../transaction/spend-names.ts";
import { Empty } from "../../ui/empty.tsx";
import { Figure } from "../../ui/figure.tsx";
import { IgnoredFilters } from "../../ui/ignored-filters.tsx";
import { Link } from "../../ui/link.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toText } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { listDays } from "#lib/base/calendar-period.ts";
import type { Days } from "#lib/base/calendar-period.ts";
import { toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { readNames } from "#lib/record/names.ts";
import { countDeclinesWithin } from "#lib/overview/declines.ts";
import { isSpentBefore, readSpend, toNet } from "#lib/overview/spend.ts";
import type { SpendSum } from "#lib/overview/spend.ts";
import { readTopSpend } from "#lib/overview/top-spend.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { toPeriod } from "#lib/statements/period.ts";
import type { PeriodQuery } from "#lib/statements/period.ts";

export const metadata: Metadata = { title: "Insights" };

export default personalPage(InsightsPage);

const PATH = "/insights";
const UNUSED = Object.fromEntries([...PERIOD_MEMBERS, "all"].map((name) => [name, undefined]));

async function InsightsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<PeriodSearch & { readonly all?: Param }> },
) {
  const search = await searchParams;
  const query = toPeriodQuery(search);
  const all = toText(search.all);
  const { now, period, hasEarlier, spend, top, names, bars, declines } = await readInsights(
    session,
    query,
  );
  const days = requireDays(period);
  const [name, range] = [toPeriodTitle(period.unit, days), toDaysTitle(days)];
  const posted = { posted_from: days.first, posted_to: days.last };
  /** The props that the panels of categories and countries share, and those that depend on whether this panel shows all rows. */
  const toGroupProps = (member: "mcc" | "country") => ({
    member,
    posted,
    currency: session.currency,
    isWhole: all === member,
    otherHref: toHref(PATH, { ...query, all: all === member ? undefined : member }),
  });
  const topProps = { currency: session.currency, names, posted, since: top.since };
  return (
    <>
      {now < period.to && <LiveAccount />}
      <PageHeader description={name === range ? name : `${name} · ${range}`} title="Insights" />
      <PeriodBar
        days={days}
        hasEarlier={hasEarlier}
        now={now}
        path={PATH}
        period={period}
        timeZone={session.timeZone}
      />
      <IgnoredFilters given={search} used={{ ...UNUSED, ...query, all }} />
      <Summary
        currency={session.currency}
        href={toHref("/transactions", posted)}
        sum={spend.total}
      />
      <div className="gap-6 *:mb-6 *:break-inside-avoid lg:columns-2">
        {spend.total.transactions > 0 && (
          <>
            <ExpandablePanel
              {...toGroupProps("mcc")}
              sums={spend.categories}
              title="By category"
              toName={toSpendCategoryName}
            />
            <TopPanel {...topProps} member="merchant" top={top.merchants} />
            <ExpandablePanel
              {...toGroupProps("country")}
              sums={spend.countries}
              title="By country"
              toName={toSpendCountryName}
            />
            <TopPanel {...topProps} member="card_id" top={top.cards} />
            <TopPanel {...topProps} member="user_id" top={top.cardholders} />
          </>
        )}
        <DeclinesPanel days={days} declines={declines} />
        {declines.length > 0 && bars.length > 1 && <DeclineBars bars={bars} declines={declines} />}
      </div>
    </>
  );
}

function readInsights(session: StaffSession, query: PeriodQuery) {
  return readAs(session, async (ctx) => {
    const { at: now } = await readMoment(ctx.db);
    const period = toPeriod(query, { timeZone: session.timeZone, now });
    await planByIndex(ctx);
    const bars = toBarDays(listDaysSoFar(requireDays(period), toLocalDay(now, session.timeZone)));
    const [spend, hasEarlier, top, declines] = await Promise.all([
      readSpend(ctx, period),
      isSpentBefore(ctx, period.from),
      readTopSpend(ctx, period, { timeZone: session.timeZone }),
      countDeclinesWithin(ctx, {
        starts: bars.map(({ day }) => toDayStart(day, session.timeZone)),
        to: period.to,
      }),
    ]);
    const names = await readNames(ctx, [
      ...top.cards.sums.map(({ name }) => ({ type: "card", id: name })),
      ...top.cardholders.sums.map(({ name }) => ({ type: "cardholder", id: name })),
    ]);
    return { now, period, spend, hasEarlier, top, names, bars, declines };
  });
}

/** The days of a period up to today, or its first day if the period has not begun. */
function listDaysSoFar({ first, last }: Days, today: string): { day: string }[] {
  const end = today < first ? first : today < last ? today : last;
  return listDays({ first, last: end }).map((day) => ({ day }));
}

/** The total that was spent. */
function Summary({ sum, currency, href }: { sum: SpendSum; currency: string; href: string }) {
  const { transactions, purchased, refunded } = sum;
  if (transactions === 0) {
    return (
      <Panel title="Spending">
        <Empty title="Nothing was spent">No purchase or refund posted in this period.</Empty>
      </Panel>
    );
  }
  return (
    <Panel
      action={
        <Link className="underlined-link" href={href}>
          {toTransactionCount(transactions)}
        </Link>
      }
      title="Spending"
    >
      <dl className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-10">
        <Figure isMain term="Spent">
          <Money amount={toNet(sum)} currency={currency} />
        </Figure>
        <Figure term="Purchases">
          <Money amount={purchased} currency={currency} />
        </Figure>
        <Figure term="Refunds">
          <Money amount={refunded} currency={currency} />
        </Figure>
      </dl>
      <p className="text-muted mt-4">
        Purchases minus refunds of all cards, by the day they posted, as in the cards' statements.
      </p>
    </Panel>
  );
}
