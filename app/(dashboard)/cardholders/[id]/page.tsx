import type { Metadata } from "next";
import { cache } from "react";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../page/missing.tsx";
import { toId } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { personalPage } from "../../../page/personal-page.tsx";
import { requireStaffPage } from "../../../page/staff-page.ts";
import { Live } from "../../../client/live.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { Activity } from "./activity.tsx";
import { CardholderActions } from "./cardholder-actions.tsx";
import { CardholderSummary } from "./cardholder-summary.tsx";
import { HolderCards } from "./holder-cards.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { toCountryName } from "#lib/base/countries.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { getCardholderTotals } from "#lib/cards/cardholder-cards.ts";
import { findCardholder } from "#lib/cards/cardholder-reads.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import type { CardholderCondition, CardholderDisabledReason } from "#lib/cards/cardholder-state.ts";
import { listCardTimeline, listCardsFreezes } from "#lib/transactions/card-activity.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The newest cards, whose activity the page shows. */
const CARDS_MAX = 100;
const ROWS = 25;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Readonly<Partial<Record<"before" | "activity", Param>>>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const cardholder = await findOne((await params).id);
  return cardholder ? { title: `${toName(cardholder)} · Cardholders` } : MISSING;
}

export default personalPage(CardholderPage);

async function CardholderPage(session: StaffSession, { params, searchParams }: Props) {
  const { role } = session.actor.staff;
  const { id } = await params;
  const { before, activity } = await searchParams;
  const place = {
    freezesOnly: activity === "freezes",
    before: toId(before),
  };
  const cardholder = await findOne(id);
  if (!cardholder) {
    return <Missing back={{ href: "/cardholders", name: "All cardholders" }} noun="cardholder" />;
  }
  const { totals, cards, timeline, currency } = await readCards(cardholder, place);
  return (
    <>
      <Live />
      <Breadcrumb list="/cardholders" name="Cardholders">
        {toName(cardholder)}
      </Breadcrumb>
      <CardholderSummary
        actions={
          <CardholderActions
            cardholder={toUserResource(cardholder)}
            currency={currency}
            disabledReasons={toDisabledReasons(role, {
              ...cardholder,
              hasOpenCards: totals.cards.active + totals.cards.frozen > 0,
            })}
          />
        }
        cardholder={cardholder}
        currency={currency}
        name={toName(cardholder)}
        totals={totals}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_320px]">
        <div className="flex min-w-0 flex-col gap-6">
          <HolderCards cardholderId={cardholder.id} cards={cards} />
          <Activity
            activity={timeline}
            cards={cards.rows}
            cardholderId={cardholder.id}
            place={place}
            timeZone={session.timeZone}
          />
        </div>
        <Details cardholder={cardholder} />
      </div>
    </>
  );
}

/** Why each action is disabled: because of the person's role, or of the cardholder's condition. */
function toDisabledReasons(role: Role, cardholder: CardholderCondition) {
  const disabledReason = roleDisabledReason(role, "cards:write");
  const toReason = (reason: CardholderDisabledReason | null) =>
    disabledReason ?? reason?.detail ?? null;
  return {
    edit: toReason(cardholderCan.change(cardholder)),
    archive: toReason(cardholderCan.archive(cardholder)),
    createCard: toReason(cardholderCan.createCard(cardholder)),
    erase:
      roleDisabledReason(role, "cardholders:erase") ??
      cardholderCan.erase(cardholder)?.detail ??
      null,
  };
}

/** Another integrator's cardholder, an unknown one, and a malformed id are all "not found". */
const findOne = cache(async (id: string): Promise<Cardholder | undefined> => {
  const session = await requireStaffPage();
  return readAs(session, (ctx) => findCardholder(ctx, id));
});

async function readCards(
  { id }: Cardholder,
  { freezesOnly, before }: { freezesOnly: boolean; before: string | undefined },
) {
  const session = await requireStaffPage();
  return readAs(session, async (ctx) => {
    const cards = await listCards(ctx, { cardholderId: id, limit: CARDS_MAX });
    const list = freezesOnly ? listCardsFreezes : listCardTimeline;
    const ids = cards.rows.map((card) => card.id);
    const [totals, timeline] = await Promise.all([
      getCardholderTotals(ctx, id),
      list(ctx, ids, { limit: ROWS, cursor: before }),
    ]);
    return { cards, totals, timeline, currency: session.currency };
  });
}

function toName({ firstName, lastName }: Cardholder): string {
  return `${firstName} ${lastName}`;
}

function Details({ cardholder }: { cardholder: Cardholder }) {
  return (
    <Panel title="Details">
      <Facts>
        {cardholder.erasedAt ? (
          <Fact term="Erased">
            <ExactTime at={cardholder.erasedAt} />
          </Fact>
        ) : (
          <PersonalFacts cardholder={cardholder} />
        )}
        <Fact term="Verification">{cardholder.verified ? "Verified" : "Pending"}</Fact>
        <Fact term="Cardholder ID">
          <CopyId id={cardholder.id} label="cardholder ID" />
        </Fact>
        <Fact term="Created">
          <ExactTime at={cardholder.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}

function PersonalFacts({ cardholder }: { cardholder: Cardholder }) {
  const { line1, line2, city, state, zipCode, country } = cardholder.address;
  return (
    <>
      <Fact term="Email">{cardholder.email}</Fact>
      <Fact term="Phone">{cardholder.phoneNumber}</Fact>
      <Fact term="Address">
        {[line1, line2, [city, state, zipCode].filter(Boolean).join(", "), toCountryName(country)]
          .filter(Boolean)
          .map((line) => (
            <span className="block" key={line}>
              {line}
            </span>
          ))}
      </Fact>
      <Fact term="Identity">{`${cardholder.idType} •••• ${cardholder.idLast4}`}</Fact>
    </>
  );
}
