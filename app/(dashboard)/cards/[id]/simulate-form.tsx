"use client";

import { useAmount } from "../../../client/use-amount.ts";
import { useForm } from "../../../client/use-form.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import type { Choosable } from "./open-holds.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource, Draft, SimulationBody, SimulationKind } from "./acts.ts";
import { formatMoney } from "#lib/base/money.ts";

const KINDS: readonly { id: SimulationKind; name: string }[] = [
  { id: "deduct", name: "Purchase (authorized and captured)" },
  { id: "authorize", name: "Authorization (hold only)" },
  { id: "capture", name: "Capture of an authorization" },
  { id: "reversal", name: "Reversal of an authorization" },
  { id: "refund", name: "Refund of a purchase" },
];

const EMPTY: Draft = { kind: "deduct", amount: "", of: null, merchant: "", narrative: "" };

interface Props {
  card: CardResource;
  /** What the form begins with. */
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

/** What the card network is to do. */
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
    isRequired: !isFollowing(kind),
  });
  const choices = kind === "refund" ? purchases : holds;
  const chosen = choices.find(({ id }) => id === form.values.of);
  const submit = () => {
    if (!field.check()) {
      return;
    }
    const body = toBody(form.values, field.amount, chosen?.id);
    void form.send(OPERATIONS.mockTransaction, body, () => {
      onDraft({ ...form.values, amount: field.text });
      simulate.mutate({ id: card.id, body });
    });
  };
  return (
    <DialogForm
      action="Simulate"
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
      {isFollowing(kind) && (
        <Earlier
          choices={choices}
          currency={card.currency}
          error={form.errors["transaction_id"] && "Choose one."}
          isRefund={kind === "refund"}
          onChange={(id) => form.set("of", id)}
          value={chosen?.id ?? null}
        />
      )}
      <AmountInput
        description={toHint(card, kind, chosen)}
        error={form.errors["amount"]}
        field={field}
        label="Amount"
      />
      {isDescribed(kind) && (
        <Description errors={form.errors} onChange={form.set} values={form.values} />
      )}
    </DialogForm>
  );
}

/** What the merchant's side says of itself. */
function Description({
  values,
  errors,
  onChange,
}: {
  values: Draft;
  errors: Readonly<Record<string, string | readonly string[]>>;
  onChange: (name: "merchant" | "narrative", value: string) => void;
}) {
  return (
    <>
      <TextInput
        error={errors["merchant.name"]}
        label="Merchant"
        onChange={(value) => onChange("merchant", value)}
        placeholder="Harbour Coffee"
        value={values.merchant}
      />
      <TextInput
        description="The merchant's text, stored exactly as sent."
        error={errors["narrative"]}
        label="Narrative"
        onChange={(value) => onChange("narrative", value)}
        value={values.narrative}
      />
    </>
  );
}

/** Which of the card's earlier transactions it is about. */
function Earlier({
  choices,
  currency,
  isRefund,
  ...choice
}: {
  choices: readonly Choosable[];
  currency: string;
  isRefund: boolean;
  error: string | undefined;
  onChange: (id: string) => void;
  value: string | null;
}) {
  if (choices.length === 0) {
    return (
      <p className="text-muted" role="status">
        {isRefund
          ? "This card has no purchases to refund. Simulate one first."
          : "This card has no open authorizations. Simulate one first."}
      </p>
    );
  }
  return (
    <Choice
      {...choice}
      label={isRefund ? "Purchase" : "Authorization"}
      options={choices.map(({ id, name, open }) => ({
        id,
        name: `${formatMoney(open, currency)} · ${name}`,
      }))}
    />
  );
}

/** Whether it is about an earlier transaction. */
function isFollowing(kind: SimulationKind): boolean {
  return kind === "capture" || kind === "reversal" || kind === "refund";
}

/** Whether it brings a text and a merchant of its own. */
function isDescribed(kind: SimulationKind): boolean {
  return kind !== "capture" && kind !== "reversal";
}

function toHint(card: CardResource, kind: SimulationKind, chosen: Choosable | undefined): string {
  if (!isFollowing(kind)) {
    return `${formatMoney(card.available, card.currency)} available`;
  }
  return `Leave empty for the full amount${chosen ? ` (${formatMoney(chosen.open, card.currency)})` : ""}.`;
}

/** The body as the contract has it. A narrative goes as it was typed. */
function toBody(
  { kind, merchant, narrative }: Draft,
  amount: number | null,
  of: string | undefined,
): SimulationBody {
  const described = isDescribed(kind);
  return {
    type: kind,
    ...(amount === null ? {} : { amount }),
    ...(isFollowing(kind) && of !== undefined ? { transaction_id: of } : {}),
    narrative: described && narrative !== "" ? narrative : null,
    merchant: described && merchant.trim() !== "" ? { name: merchant.trim() } : null,
  };
}
