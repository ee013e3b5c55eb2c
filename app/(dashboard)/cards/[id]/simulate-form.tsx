"use client";

import { useAmount } from "../../../ui/use-amount.ts";
import { useForm } from "../../../client/use-form.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import type { Choosable } from "./open-holds.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { DescriptionFields, EarlierField, OutcomeFields } from "./simulate-fields.tsx";
import {
  isDescribed,
  isFollowing,
  isOfPurchase,
  mayDecline,
  requiresAmount,
  takesAmount,
  toSimulationBody,
} from "./simulation-body.ts";
import type { CardResource, Draft, SimulationBody, SimulationKind } from "./acts.ts";
import { formatMoney } from "#lib/base/money.ts";

const KINDS: readonly { id: SimulationKind; name: string }[] = [
  { id: "deduct", name: "Purchase (authorized and captured)" },
  { id: "authorize", name: "Authorization (hold only)" },
  { id: "verification", name: "Verification of the card (no amount)" },
  { id: "advice", name: "Approval by the card network (stand-in)" },
  { id: "posting", name: "Posting without authorization (always paid)" },
  { id: "increment", name: "Increment of an authorization" },
  { id: "capture", name: "Capture of an authorization" },
  { id: "reversal", name: "Reversal of an authorization" },
  { id: "expire", name: "Expiry of an authorization" },
  { id: "refund", name: "Refund of a purchase" },
  { id: "take-back", name: "Cancellation of a purchase (taken back)" },
];

const WITHOUT_AMOUNT: Readonly<Partial<Record<SimulationKind, string>>> = {
  verification: "Asks whether the card would be accepted. Nothing is held.",
  expire: "Releases everything that is still held, now.",
  "take-back": "Returns the whole amount to the card: the card network should not have posted it.",
};

const EMPTY: Draft = {
  kind: "deduct",
  amount: "",
  of: null,
  declineWith: null,
  allowPartial: false,
  earlier: null,
  merchant: "",
  narrative: "",
};

interface Props {
  card: CardResource;
  /** The form's initial values. */
  draft: Draft | null;
  holds: readonly Choosable[];
  purchases: readonly Choosable[];
  simulate: {
    error: unknown;
    isPending: boolean;
    mutate: (input: { id: string; body: SimulationBody }) => void;
  };
  onCancel: () => void;
  onDraft: (draft: Draft) => void;
}

/** Asks what the card network should do. */
export function SimulateForm({
  card,
  draft,
  holds,
  purchases,
  simulate,
  onCancel,
  onDraft,
}: Props) {
  const form = useForm<Draft>(draft ?? EMPTY, simulate.error);
  const { kind } = form.values;
  const field = useAmount(card.currency, {
    initial: form.values.amount,
    isRequired: requiresAmount(kind),
  });
  const choices = isOfPurchase(kind) ? purchases : holds;
  const chosen = choices.find(({ id }) => id === form.values.of);
  const submit = () => {
    if (takesAmount(kind) && !field.check()) {
      return;
    }
    const body = toSimulationBody(form.values, field.amount, chosen?.id);
    void form.send(OPERATIONS.mockTransaction, body, () => {
      onDraft({ ...form.values, amount: field.text });
      simulate.mutate({ id: card.id, body });
    });
  };
  return (
    <DialogForm
      action="Simulate"
      disabledReason={
        isFollowing(kind) && choices.length === 0 ? "There is no transaction to choose." : null
      }
      error={simulate.error}
      isPending={simulate.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <Choice
        label="Type"
        onChange={(next) => form.set("kind", next)}
        options={KINDS}
        value={kind}
      />
      {isFollowing(kind) && <EarlierField choices={choices} currency={card.currency} form={form} />}
      {takesAmount(kind) ? (
        <AmountInput
          description={toHint(card, kind, chosen)}
          error={form.errors["amount"]}
          field={field}
          label="Amount"
        />
      ) : (
        <p className="text-muted">{WITHOUT_AMOUNT[kind]}</p>
      )}
      {isDescribed(kind) && <DescriptionFields form={form} />}
      {mayDecline(kind) && <OutcomeFields form={form} />}
    </DialogForm>
  );
}

function toHint(card: CardResource, kind: SimulationKind, chosen: Choosable | undefined): string {
  if (requiresAmount(kind)) {
    return `${formatMoney(card.available, card.currency)} available`;
  }
  return `Leave empty for the full amount${chosen ? ` (${formatMoney(chosen.open, card.currency)})` : ""}.`;
}
