"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { usePreload } from "../../../client/use-preload.ts";
import { CardFace } from "../../../ui/card-face.tsx";
import type { CardLook } from "../../../ui/card-face.tsx";
import { CardStatusLabel } from "../../../ui/card-status.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { Money } from "../../../ui/money.tsx";
import { ACTS } from "./acts.ts";
import type { Act, CardResource, Draft, Simulation } from "./acts.ts";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { CardActions } from "./card-actions.tsx";
import { FreezeNotice } from "./freeze-notice.tsx";
import type { LostCase } from "./lost/lost-case.ts";
import type { Held } from "./open-holds.ts";

const ActDialog = fetched(() => import("./act-dialog.tsx").then((loaded) => loaded.ActDialog));

/** As tall as a wide screen needs to show a freeze notice, so that the content below does not move. */
const SHAPE = "flex flex-col gap-5 @xl:min-h-55 @xl:flex-row @xl:items-start @xl:gap-8";

/** The card: its face, state, money, and actions. */
export function CardView({
  card: saved,
  look,
  lastApproval,
  expired,
  floatAvailable,
  heading,
  holds,
  disabledReasons,
  simulation,
}: {
  card: CardResource;
  look: CardLook;
  /** When a frozen card was last approved, as an RFC 3339 time; null if unknown. */
  lastApproval: string | null;
  expired: boolean;
  floatAvailable: number;
  heading: "h1" | "h2";
  holds: Held;
  disabledReasons: DisabledReasons;
  /** Null in live, where nothing is simulated. */
  simulation: Simulation | null;
}) {
  const [act, setAct] = useAct();
  const [answered, setAnswered] = useState<CardResource | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [lost, setLost] = useState<LostCase | null>(null);
  const card = toNewest(answered, saved);
  // Preloaded, so that a dialog opens at once.
  usePreload(ActDialog);
  return (
    <section aria-label="Card" className={SHAPE}>
      <Face card={card} look={look} />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <Condition card={card} heading={heading} />
        <CardActions
          card={card}
          expired={expired}
          disabledReasons={disabledReasons}
          onAct={setAct}
          simulate={simulation}
        />
        <FreezeNotice
          action={
            <AddFreeze disabledReason={disabledReasons.state} onPress={() => setAct("freeze")} />
          }
          card={card}
          lastApproval={lastApproval}
        />
      </div>
      {act !== null && (
        <ActDialog
          act={act}
          card={card}
          expired={expired}
          draft={draft}
          floatAvailable={floatAvailable}
          holds={holds}
          disabledReasons={disabledReasons}
          lost={lost}
          onClose={() => setAct(null)}
          onLost={setLost}
          onDraft={setDraft}
          simulation={simulation}
          onChanged={setAnswered}
        />
      )}
    </section>
  );
}

/**
 * The act whose dialog is open. A URL that requests an act is cleared at once and not when the dialog closes: closing
 * refreshes the page, and Next.js drops a refresh in progress when the URL changes. The router clears the URL,
 * because after `history.replaceState` has changed a query, two refreshes in a row load the whole page again
 * (vercel/next.js#98323).
 */
function useAct(): [Act | null, (act: Act | null) => void] {
  const router = useRouter();
  const given = useSearchParams().get("act");
  const asked = ACTS.find((each) => each === given) ?? null;
  const [act, setAct] = useState<Act | null>(asked);
  const [answered, setAnswered] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    setAct(asked ?? act);
  }
  useEffect(() => {
    if (asked !== null) {
      const url = new URL(location.href);
      url.searchParams.delete("act");
      router.replace(`${url.pathname}${url.search}`, { scroll: false });
    }
  }, [asked, router]);
  return [act, setAct];
}

/** The newer of two states: the one that the page was rendered with, and the one in the server's answer since. */
function toNewest(answered: CardResource | null, saved: CardResource): CardResource {
  return answered && answered.updated_at > saved.updated_at ? answered : saved;
}

function Face({ card, look }: { card: CardResource; look: CardLook }) {
  return (
    <CardFace
      design={card.design_type}
      last4={card.last4}
      look={look}
      name={card.card_name}
      status={card.status}
      valid={card.valid}
    />
  );
}

function AddFreeze(button: { disabledReason: string | null; onPress: () => void }) {
  return (
    <GuardedButton {...button} className="-ml-3 self-start" size="sm" variant="ghost">
      Add or change a freeze
    </GuardedButton>
  );
}

/** The card's name, state, and money. */
function Condition({ card, heading: Heading }: { card: CardResource; heading: "h1" | "h2" }) {
  const { currency } = card;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Heading className="text-xl font-semibold tracking-tight wrap-anywhere">
          <bdi>{card.card_name}</bdi>{" "}
          <span className="text-muted font-normal whitespace-nowrap">{`•••• ${card.last4}`}</span>
        </Heading>
        <span aria-live="polite">
          <CardStatusLabel status={card.status} />
        </span>
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-3 md:gap-x-10">
        <Figure isMain term="Balance">
          <Money amount={card.balance} currency={currency} />
        </Figure>
        <Figure term="Held">
          <Money amount={card.held} currency={currency} />
        </Figure>
        <Figure term="Available">
          <Money amount={card.available} currency={currency} />
        </Figure>
        {card.cover_outstanding > 0 && (
          <Figure term="Cover outstanding">
            <Money amount={card.cover_outstanding} currency={currency} />
          </Figure>
        )}
      </dl>
    </>
  );
}
