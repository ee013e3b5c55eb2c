import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { requireStaffPage } from "../../../staff-page.ts";
import { Live } from "../../../client/live.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { CardView } from "./card-view.tsx";
import { HoldList } from "./hold-list.tsx";
import { toHeld, toRefundable } from "./open-holds.ts";
import { Notifications } from "./notifications.tsx";
import { Timeline } from "./timeline.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import { listOpenHolds, listRefundable } from "#lib/transactions/card-purchases.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { getFloat } from "#lib/funds/float.ts";
import { isId } from "#lib/base/ids.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Card" };

const ROWS = 25;

/** Earlier transactions that the simulator offers to go on with. */
const CHOICES_MAX = 50;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ before?: string }>;
}

export default async function CardPage({ params, searchParams }: Props) {
  const session = await requireStaffPage();
  const { id } = await params;
  const { before } = await searchParams;
  const cursor = before && isId(before) ? before : undefined;
  const { card, float, activity, holds, purchases } = await readCardPage(session, id, cursor);
  const { role } = session.actor.staff;
  const disabledReasons = {
    state: roleDisabledReason(role, "cards:write"),
    funds: roleDisabledReason(role, "funds:write"),
  };
  return (
    <>
      <Live />
      <nav aria-label="Breadcrumb" className="text-muted -mb-3">
        <Link className="hover:text-foreground" href="/cards">
          Cards
        </Link>
        <span aria-hidden> / </span>
        <span aria-current="page">•••• {card.last4}</span>
      </nav>
      <CardView
        card={toCardResource(card)}
        expired={card.expiresAt < new Date()}
        floatAvailable={float.available}
        holds={toHeld(holds)}
        disabledReasons={disabledReasons}
        simulation={
          purchases && {
            disabledReason: roleDisabledReason(role, "sandbox:write"),
            purchases: toRefundable(purchases),
          }
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_320px]">
        <Timeline
          activity={activity}
          card={card}
          isFirst={cursor === undefined}
          disabledReasons={disabledReasons}
        />
        <div className="flex min-w-0 flex-col gap-6">
          <HoldList holds={holds} />
          <Details card={card} />
          <Notifications cardId={card.id} session={session} />
        </div>
      </div>
    </>
  );
}

/** Another integrator's card, an unknown one and a malformed id are the same: not found. */
async function readCardPage(session: StaffSession, id: string, cursor: string | undefined) {
  try {
    const [card, [float, activity, holds, purchases]] = await readAs(session, (ctx) =>
      getCardWith(ctx, id, () =>
        Promise.all([
          getFloat(ctx),
          listCardActivity(ctx, id, { limit: ROWS, cursor }),
          listOpenHolds(ctx, id, CHOICES_MAX),
          // Only the simulator asks for them.
          session.environment === "sandbox" ? listRefundable(ctx, id, CHOICES_MAX) : null,
        ]),
      ),
    );
    return { card, float, activity, holds, purchases };
  } catch (error) {
    if (isDomainError(error) && error.code === "card_not_found") {
      notFound();
    }
    throw error;
  }
}

function Details({ card }: { card: Card }) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="Cardholder">
          <Link
            className="text-link underline underline-offset-4"
            href={`/cards?user_id=${card.cardholderId}`}
          >
            {card.cardName}
          </Link>
        </Fact>
        <Fact term="Card ID">
          <CopyId id={card.id} label="card ID" />
        </Fact>
        <Fact term="Number">
          <span className="font-mono text-xs">
            {card.firstSix}******{card.last4}
          </span>
        </Fact>
        <Fact term="Type">{card.singleUse ? "Virtual, single-use" : "Virtual"}</Fact>
        <Fact term="Expires">
          <ExactTime at={card.expiresAt} />
        </Fact>
        <Fact term="Created">
          <ExactTime at={card.createdAt} />
        </Fact>
        {Object.entries(card.metadata).map(([name, value]) => (
          <Fact key={name} term={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}
