import type { Metadata as PageMetadata } from "next";
import { BalanceLine } from "../../../chart/balance-line.tsx";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../page/missing.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { Live } from "../../../client/live.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RecordColumns } from "../../../ui/record-columns.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { CardHead, toDisabledReasons } from "./card-head.tsx";
import { Details } from "./details.tsx";
import { findCard, toTimelinePage } from "./find-card.ts";
import { HoldList } from "./hold-list.tsx";
import { Metadata } from "./metadata.tsx";
import { Notifications } from "./notifications.tsx";
import { SpendingControls } from "./spending-controls.tsx";
import { toChangeDisabledReason } from "../../../card/change-disabled-reason.ts";
import { Timeline } from "../../../card/timeline.tsx";
import { toTimelinePlace } from "../../../card/timeline-place.ts";
import type { TimelineParams, TimelinePlace } from "../../../card/timeline-place.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { readBalanceDays } from "#lib/overview/balance-days.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

const ROWS = 25;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<TimelineParams>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<PageMetadata> {
  const found = await findShown((await params).id, toTimelinePlace(await searchParams));
  return found
    ? { title: `${toCardTitle(found.card.cardName, found.card.last4)} · Cards` }
    : MISSING;
}

export default personalPage(CardPage);

async function CardPage(session: StaffSession, { params, searchParams }: Props) {
  const place = toTimelinePlace(await searchParams);
  const found = await findShown((await params).id, place);
  if (!found) {
    return <Missing back={{ href: "/cards", name: "All cards" }} noun="card" />;
  }
  const { card, names, holder, expired, isReviewed, activity, holds } = found;
  const days = await readAs(session, (ctx) => readBalanceDays(ctx, card, session.timeZone));
  const { role } = session.actor.staff;
  const changeDisabledReason = toChangeDisabledReason(role, holder);
  return (
    <>
      <Live />
      <Breadcrumb list="/cards" name="Cards">{`•••• ${card.last4}`}</Breadcrumb>
      <CardHead found={found} heading="h1" role={role} />
      <RecordColumns
        main={
          <Timeline
            activity={activity}
            card={{ ...card, expired, isReviewed }}
            disabledReasons={toDisabledReasons(role)}
            noteDisabledReason={changeDisabledReason}
            place={place}
            timeZone={session.timeZone}
          />
        }
        side={
          <>
            <HoldList cardId={card.id} holds={holds} />
            <Panel
              action={
                <Link className="underlined-link" href={`/cards/${card.id}/statement`}>
                  Statement
                </Link>
              }
              title={`Balance, last ${days.length} days`}
            >
              <BalanceLine currency={card.currency} days={days} name="Balance" />
            </Panel>
            <SpendingControls found={found} role={role} />
            <Details card={card} names={names} />
            <Metadata card={toCardResource(card)} disabledReason={changeDisabledReason} />
            <Notifications cardId={card.id} session={session} />
          </>
        }
      />
    </>
  );
}

function findShown(id: string, { before, type }: TimelinePlace) {
  return findCard(id, toTimelinePage(ROWS, before, type));
}
