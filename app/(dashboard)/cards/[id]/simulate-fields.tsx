"use client";

import type { useForm } from "../../../client/use-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { SuggestedInput } from "../../../ui/suggested-input.tsx";
import type { Choosable } from "./open-holds.ts";
import type { Draft } from "./acts.ts";
import { isOfPurchase, toNarrative } from "./simulation-body.ts";
import { formatMoney } from "#lib/base/money.ts";
import { DECLINE_REASON_NAMES, DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { SAMPLE_PURCHASES } from "#lib/transactions/sample-purchases.ts";

type Form = ReturnType<typeof useForm<Draft>>;

const MERCHANTS = SAMPLE_PURCHASES.map(({ merchant }) => merchant.name);
const NARRATIVES = SAMPLE_PURCHASES.map(({ narrative }) => narrative);

/** The merchant and its narrative. */
export function DescriptionFields({ form }: { form: Form }) {
  const { values, errors } = form;
  const setMerchant = (name: string) => {
    form.set("narrative", toNarrative(values, name));
    form.set("merchant", name);
  };
  return (
    <>
      <SuggestedInput
        error={errors["merchant.name"]}
        label="Merchant"
        onChange={setMerchant}
        suggestions={MERCHANTS}
        value={values.merchant}
      />
      <SuggestedInput
        description="The merchant's text, stored exactly as sent."
        error={errors["narrative"]}
        label="Narrative"
        onChange={(text) => form.set("narrative", text)}
        suggestions={NARRATIVES}
        value={values.narrative}
      />
    </>
  );
}

const NONE = "none";
const REASONS = [
  { id: NONE, name: "None (the card's rules decide)" },
  ...DECLINE_REASONS.map((id) => ({ id, name: DECLINE_REASON_NAMES[id] })),
] as const;

/**
 * Fields for the decision: what to do if the card has too little, and a reason for a decline regardless of the card's
 * state.
 */
export function OutcomeFields({ form }: { form: Form }) {
  return (
    <>
      {form.values.kind === "authorize" && (
        <>
          <PartialField form={form} />
          <OrderField form={form} />
        </>
      )}
      <DeclineField form={form} />
    </>
  );
}

function DeclineField({ form }: { form: Form }) {
  return (
    <Choice
      label="Decline with"
      onChange={(id) => form.set("declineWith", id === NONE ? null : id)}
      options={REASONS}
      value={form.values.declineWith ?? NONE}
    />
  );
}

const SHORTAGES = [
  { id: "decline", name: "Decline" },
  { id: "partial", name: "Approve what is available" },
] as const;

function PartialField({ form }: { form: Form }) {
  return (
    <Choice
      label="If funds are insufficient"
      onChange={(id) => form.set("allowPartial", id === "partial")}
      options={SHORTAGES}
      value={form.values.allowPartial ? "partial" : "decline"}
    />
  );
}

const ORDERS = [
  { id: NONE, name: "Nothing" },
  { id: "capture", name: "Its capture, in full" },
  { id: "reversal", name: "Its reversal, in full" },
] as const;

function OrderField({ form }: { form: Form }) {
  return (
    <Choice
      description="The card network may deliver messages in any order."
      error={form.errors["earlier"]}
      label="Arrives before it"
      onChange={(id) => form.set("earlier", id === NONE ? null : id)}
      options={ORDERS}
      value={form.values.earlier ?? NONE}
    />
  );
}

/** Asks which of the card's earlier transactions the simulation refers to. */
export function EarlierField({
  choices,
  currency,
  form,
}: {
  choices: readonly Choosable[];
  currency: string;
  form: Form;
}) {
  const { kind, of } = form.values;
  const isPurchase = isOfPurchase(kind);
  if (choices.length === 0) {
    return (
      <p className="text-muted" role="status">
        {isPurchase
          ? "This card has no purchases to refund or cancel. Simulate one first."
          : "This card has no open authorizations. Simulate one first."}
      </p>
    );
  }
  return (
    <Choice
      error={form.errors["transaction_id"] && "Choose one."}
      label={isPurchase ? "Purchase" : "Authorization"}
      onChange={(id) => form.set("of", id)}
      options={choices.map(({ id, name, open }) => ({
        id,
        name: `${formatMoney(open, currency)} · ${name}`,
      }))}
      value={choices.find(({ id }) => id === of)?.id ?? null}
    />
  );
}
