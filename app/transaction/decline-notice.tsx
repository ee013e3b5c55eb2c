import { CircleX } from "lucide-react";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { toNextStep } from "./next-step.ts";
import type { DeclinedCard, NextControl } from "./next-step.ts";

/** Why this person may not change a card's state or move funds; null if they may. */
export interface DisabledReasons {
  state: string | null;
  funds: string | null;
}

/** Why a purchase was declined, in the domain's own words, and what to do now. */
export function DeclineNotice({
  explanation,
  forced,
  reason,
  card,
  disabledReasons,
}: {
  explanation: string;
  forced: boolean;
  reason: string;
  card: DeclinedCard;
  disabledReasons: DisabledReasons;
}) {
  return (
    <div className="border-border bg-surface flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border px-3 py-2.5">
      <p className="flex min-w-0 flex-1 basis-72 items-start gap-2">
        <CircleX aria-hidden className="text-declined mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">{explanation}</span>
      </p>
      <Step card={card} disabledReasons={disabledReasons} forced={forced} reason={reason} />
    </div>
  );
}

function Step({
  reason,
  forced,
  card,
  disabledReasons,
}: {
  reason: string;
  forced: boolean;
  card: DeclinedCard;
  disabledReasons: DisabledReasons;
}) {
  const step = toNextStep({ reason, forced }, card);
  if (!step) {
    return null;
  }
  return (
    <>
      {step.text !== null && <p className="basis-full">{step.text}</p>}
      {step.control && (
        <Control cardId={card.id} control={step.control} disabledReasons={disabledReasons} />
      )}
    </>
  );
}

function Control({
  control,
  cardId,
  disabledReasons,
}: {
  control: NextControl;
  cardId: string;
  disabledReasons: DisabledReasons;
}) {
  if ("href" in control) {
    return (
      <LinkButton href={control.href} size="sm">
        {control.label}
      </LinkButton>
    );
  }
  const disabledReason = disabledReasons[control.needs];
  return disabledReason === null ? (
    <LinkButton href={`/cards/${cardId}?act=${control.act}`} size="sm">
      {control.label}
    </LinkButton>
  ) : (
    <GuardedButton disabledReason={disabledReason} size="sm" variant="secondary">
      {control.label}
    </GuardedButton>
  );
}
