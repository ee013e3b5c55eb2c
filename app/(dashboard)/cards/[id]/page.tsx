import type { Metadata as PageMetadata } from "next";
import Link from "next/link";
import { cache } from "react";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../missing.tsx";
import { requireStaffPage } from "../../../staff-page.ts";
import { Live } from "../../../client/live.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { CardView } from "./card-view.tsx";
import { HoldList } from "./hold-list.tsx";
import { toHeld, toRefundable } from "./open-holds.ts";
import { Metadata } from "./metadata.tsx";
import { Notifications } from "./notifications.tsx";
import { Timeline } from "./timeline.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import {
  findLastApproval,
  listOpenHolds,
  listRefundable,
} from "#lib/transactions/card-purchases.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { getAccount } from "#lib/integrators/integrators.ts";
import { getFloat } from "#lib/funds/float.ts";
import { isId } from "#lib/base/ids.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";

const ROWS = 25;

/** Earlier transactions that the simulator offers to go on with. */
const CHOICES_MAX = 50;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ before?: string }>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<PageMetadata> {
  const found = await findCardPage((await params).id, toCursor(await searchParams));
  return found
    ? { title: `${toCardTitle(found.card.cardName, found.card.last4)} · Cards` }
    : MISSING;
}

export default async function CardPage({ params, searchParams }: Props) {
  const session = await requireStaffPage();
  const cursor = toCursor(await searchParams);
  const found = await findCardPage((await params).id, cursor);
  if (!found) {
    return <Missing back={{ href: "/cards", name: "All cards" }} noun="card" />;
  }
  const { card, float, account, activity, holds, purchases } = found;
  const { role } = session.actor.staff;
  const disabledReasons = {
    state: roleDisabledReason(role, "cards:write"),
    funds: roleDisabledReason(role, "funds:write"),
  };
  return (
    <>
      <Live />
      <Breadcrumb list="/cards" name="Cards">
        •••• {card.last4}
      </Breadcrumb>
      <CardView
        card={toCardResource(card)}
        lastApproval={found.lastApproval?.toISOString() ?? null}
        look={{ program: account.programName ?? account.businessName, color: account.cardColor }}
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
          <Metadata card={toCardResource(card)} disabledReason={disabledReasons.state} />
          <Notifications cardId={card.id} session={session} />
        </div>
      </div>
    </>
  );
}

function toCursor({ before }: { before?: string }): string | undefined {
  return before && isId(before) ? before : undefined;
}

/** Read once for the page and its title. Undefined for another integrator's card, an unknown one and a malformed id. */
const findCardPage = cache(async (id: string, cursor: string | undefined) => {
  const session = await requireStaffPage();
  try {
    return await readAs(session, async (ctx) => {
      const [card, [float, account, activity, holds, purchases]] = await getCardWith(ctx, id, () =>
        Promise.all([
          getFloat(ctx),
          getAccount(ctx),
          listCardActivity(ctx, id, { limit: ROWS, cursor }),
          listOpenHolds(ctx, id, CHOICES_MAX),
          // Only the simulator asks for them.
          session.environment === "sandbox" ? listRefundable(ctx, id, CHOICES_MAX) : null,
        ]),
      );
      const lastApproval = card.freeze && (await findLastApproval(ctx, id, card.freeze.frozenAt));
      return { card, float, account, activity, holds, purchases, lastApproval };
    });
  } catch (error) {
    if (isDomainError(error) && error.code === "card_not_found") {
      return undefined;
    }
    throw error;
  }
});

function Details({ card }: { card: Card }) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="Cardholder">
          <Link
            className="text-link underline underline-offset-4"
            href={`/cardholders/${card.cardholderId}`}
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
      </Facts>
    </Panel>
  );
}
