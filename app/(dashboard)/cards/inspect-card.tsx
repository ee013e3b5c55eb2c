import type { InspectedRecord } from "../../inspector/inspected-record.ts";
import { toMissingRecord } from "../../inspector/missing-record.tsx";
import { toCardTitle } from "../../ui/card-title.ts";
import { CardHead, toDisabledReasons } from "./[id]/card-head.tsx";
import { Details } from "./[id]/details.tsx";
import { findCard, toTimelinePage } from "./[id]/find-card.ts";
import { HoldList } from "./[id]/hold-list.tsx";
import { toChangeDisabledReason } from "../../card/change-disabled-reason.ts";
import { Timeline } from "../../card/timeline.tsx";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The rest of its history is on the card's page. */
const ROWS = 10;

/** The card that is open beside the list. */
export async function inspectCard(id: string, session: StaffSession): Promise<InspectedRecord> {
  const { role } = session.actor.staff;
  const found = await findCard(id, toTimelinePage(ROWS));
  if (!found) {
    return toMissingRecord(id, "card");
  }
  const { card, names, holder, expired, isReviewed, activity, holds } = found;
  return {
    id,
    label: `Card: ${toCardTitle(card.cardName, card.last4)}`,
    href: `/cards/${id}`,
    content: (
      <div className="record flex flex-col gap-6">
        <CardHead found={found} heading="h2" role={role} />
        <HoldList cardId={card.id} holds={holds} />
        <Details card={card} names={names} />
        <Timeline
          activity={activity}
          card={{ ...card, expired, isReviewed }}
          disabledReasons={toDisabledReasons(role)}
          noteDisabledReason={toChangeDisabledReason(role, holder)}
          place={null}
          timeZone={session.timeZone}
        />
      </div>
    ),
  };
}
