import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { Link } from "../../ui/link.tsx";
import { findNeeds } from "../../page/needs.ts";
import { personalPage } from "../../page/personal-page.tsx";
import { LiveAccount } from "../../client/live-account.tsx";
import { CardStatusLabel } from "../../ui/card-status.tsx";
import { Money } from "../../ui/money.tsx";
import { toHref } from "../../ui/pager.tsx";
import { SegmentedLinks } from "../../ui/segmented-links.tsx";
import { toText } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { CreateCard } from "../../card/create-card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { FundFloat } from "../../float/fund-float.tsx";
import { isLow, FloatWarning } from "../../float/float-warning.tsx";
import { toForecastText, toTopUpText } from "../../float/forecast-text.ts";
import { Checklist } from "./checklist.tsx";
import type { Step } from "./checklist.tsx";
import { Declines } from "./declines.tsx";
import { FloatLine, FlowBars, SpendingBars } from "../../float/charts.tsx";
import { toBarSpan } from "../../chart/chart-bars.ts";
import { NeedsYou } from "./needs-you.tsx";
import { WebhookHealth } from "./webhook-health.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { CARD_STATUSES } from "#lib/cards/card-state.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";
import { DAYS } from "#lib/overview/float-days.ts";
import { getOverview } from "#lib/overview/overview.ts";
import type { Overview } from "#lib/overview/overview.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Overview" };

export default personalPage(OverviewPage);

async function OverviewPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<Record<string, Param>> },
) {
  const asked = toText((await searchParams)["days"]);
  const shownDays = RANGES.find((range) => String(range) === asked) ?? DAYS;
  const [{ overview, newestCardId }, webhooks, needs] = await Promise.all([
    readAs(session, async (ctx) => {
      const read = await getOverview(ctx, session.timeZone, shownDays);
      const newest = read.isUsed ? null : await listCards(ctx, { statuses: ["active"], limit: 1 });
      return { overview: read, newestCardId: newest?.rows[0]?.id };
    }),
    readAs(session, async (ctx) => getEndpointHealth(ctx, await getEndpoint(ctx))),
    findNeeds(session),
  ]);
  const { float, days, forecast, cards } = overview;
  const steps = toSteps(overview, {
    isSandbox: session.environment === "sandbox",
    cardId: newestCardId,
    hasUrl: webhooks.endpoint.webhookUrl !== null,
  });
  return (
    <>
      <LiveAccount />
      <PageHeader action={<Actions session={session} shownDays={shownDays} />} title="Overview" />
      <FloatWarning
        action={<FundFloat float={float} proposed={overview.topUp?.amount} session={session} />}
        forecast={toForecastText(forecast, days)}
        float={float}
      />
      <NeedsYou currency={session.currency} needs={needs} />
      {steps.some(({ isDone, isOptional }) => !isDone && !isOptional) && (
        <Checklist steps={steps} />
      )}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[2fr_1fr]">
        <FloatPanel overview={overview} session={session} />
        <div className="grid grid-rows-[auto_1fr] gap-6">
          <CardCounts cards={cards} />
          <Books books={overview.books} />
        </div>
      </div>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[2fr_1fr]">
        <Panel title={`Money in and out, by ${toBarSpan(days)}`}>
          <FlowBars currency={float.currency} days={days} />
        </Panel>
        <WebhookHealth health={webhooks} />
      </div>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[2fr_1fr]">
        <Panel
          action={
            <Link className="underlined-link" href="/transactions">
              Transactions
            </Link>
          }
          title={`Card spending, by ${toBarSpan(days)}`}
        >
          <SpendingBars currency={float.currency} days={days} />
        </Panel>
        <Declines days={days} decisions={overview.decisions} />
      </div>
    </>
  );
}

/** How many days the charts and counts can show. */
const RANGES = [7, DAYS, 90];

function Actions({ session, shownDays }: { session: StaffSession; shownDays: number }) {
  const { role } = session.actor.staff;
  return (
    <>
      <SegmentedLinks
        label="Period"
        links={RANGES.map((range) => ({
          name: `${range} days`,
          href: toHref("/overview", { days: range === DAYS ? undefined : String(range) }),
          isCurrent: range === shownDays,
        }))}
      />
      <CreateCard
        currency={session.currency}
        disabledReason={roleDisabledReason(role, "cards:write")}
      />
    </>
  );
}

/** The available funds, how long they last, and their history. */
function FloatPanel({
  overview: { float, days, forecast, topUp },
  session,
}: {
  overview: Overview;
  session: StaffSession;
}) {
  const until = toForecastText(forecast, days);
  return (
    <Panel
      action={
        <Link className="underlined-link" href="/float">
          Statement
        </Link>
      }
      title="Float available"
    >
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <p className="text-3xl font-semibold tracking-tight">
            <Money amount={float.available} currency={float.currency} />
          </p>
          {until !== null && <p className="text-muted">{until}</p>}
          {topUp !== null && <p className="text-muted">{toTopUpText(topUp, float)}</p>}
        </div>
        {!isLow(float) && <FundFloat float={float} proposed={topUp?.amount} session={session} />}
      </div>
      <FloatLine currency={float.currency} days={days} threshold={float.lowBalanceThreshold} />
    </Panel>
  );
}

/** The steps from an empty account to a first purchase, which only a sandbox can simulate. */
function toSteps(
  { cards, isFunded, isUsed }: Overview,
  {
    isSandbox,
    cardId,
    hasUrl,
  }: { isSandbox: boolean; cardId: string | undefined; hasUrl: boolean },
): Step[] {
  const steps = [
    {
      name: "Top up the float",
      isDone: isFunded,
      href: "/float",
      verb: "Go to float",
    },
    {
      name: "Create a card",
      isDone: cards.active + cards.frozen + cards.closed > 0,
      href: "/cards",
      verb: "Go to cards",
    },
  ];
  const test = {
    name: "Make a test transaction",
    isDone: isUsed,
    href: cardId ? `/cards/${cardId}?act=simulate` : "/cards",
    verb: "Simulate a transaction",
  };
  const notify = {
    name: "Set a webhook URL",
    isDone: hasUrl,
    href: "/developers/webhooks",
    verb: "Go to webhooks",
    isOptional: true,
  };
  return isSandbox ? [...steps, test, notify] : [...steps, notify];
}

function CardCounts({ cards }: { cards: Overview["cards"] }) {
  return (
    <Panel title="Cards by status">
      <ul className="flex flex-col gap-1">
        {CARD_STATUSES.map((status) => (
          <li key={status}>
            <Link
              className="hover:bg-default flex items-center justify-between rounded-md px-1 py-1"
              href={`/cards?status=${status}`}
            >
              <CardStatusLabel status={status} />
              <span className="text-base font-medium">{cards[status].toLocaleString("en-US")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Books({ books }: { books: Overview["books"] }) {
  return (
    <Panel title="Ledger check">
      {books.balanced ? (
        <p className="flex items-start gap-2">
          <CircleCheck aria-hidden className="text-active mt-0.5 size-4 shrink-0" />
          <span>
            <span>Balanced</span>
            {books.checkedAt && (
              <span className="text-muted">
                , checked <Time at={books.checkedAt} />
              </span>
            )}
          </span>
        </p>
      ) : (
        <p className="text-declined flex items-start gap-2" role="alert">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          Discrepancy found. Fund movements are suspended until it is resolved.
        </p>
      )}
    </Panel>
  );
}
