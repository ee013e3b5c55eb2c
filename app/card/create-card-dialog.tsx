"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "../client/use-form.ts";
import { useOperation } from "../client/use-operation.ts";
import { Switch } from "../ui/checkbox.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../client/dialog-form.tsx";
import { HolderForm } from "./holder-form.tsx";
import { HolderPicker } from "./holder-picker.tsx";
import type { Holder } from "./holder.ts";
import { OPERATIONS } from "../client/operations.ts";
import type { BodyOf } from "#lib/api/client.ts";

const DESIGNS = [
  { id: "midnight", name: "Midnight" },
  { id: "sand", name: "Sand" },
  { id: "forest", name: "Forest" },
  { id: "coral", name: "Coral" },
] as const;

const VALIDITIES = [
  { id: "30", name: "30 days" },
  { id: "365", name: "1 year" },
  { id: "1095", name: "3 years" },
] as const;

interface Props {
  currency: string;
  /** If null, the dialog asks for it first. */
  holder: Holder | null;
  onClose: () => void;
}

type Step = { name: "pick" } | { name: "register" } | { name: "card"; holder: Holder };

const TITLES: Readonly<Record<Step["name"], string>> = {
  pick: "Create card: choose a cardholder",
  register: "Create card: new cardholder",
  card: "Create card",
};

/** Asks for the cardholder, then for the card. */
export function CreateCardDialog({ currency, holder, onClose }: Props) {
  const [step, setStep] = useState<Step>(holder ? { name: "card", holder } : { name: "pick" });
  const choose = (chosen: Holder) => setStep({ name: "card", holder: chosen });
  return (
    <Dialog onClose={onClose} title={TITLES[step.name]}>
      {step.name === "pick" && (
        <HolderPicker
          onCancel={onClose}
          onNew={() => setStep({ name: "register" })}
          onPick={choose}
        />
      )}
      {step.name === "register" && (
        <HolderForm onCancel={() => setStep({ name: "pick" })} onRegistered={choose} />
      )}
      {step.name === "card" && (
        <CreateForm currency={currency} holder={step.holder} onClose={onClose} />
      )}
    </Dialog>
  );
}

function CreateForm({ currency, holder, onClose }: Props & { holder: Holder }) {
  const router = useRouter();
  const create = useOperation(OPERATIONS.createVirtualCard, ({ data }) => {
    onClose();
    router.push(`/cards/${data.id}`);
  });
  const form = useForm<{
    design: (typeof DESIGNS)[number]["id"];
    validity: (typeof VALIDITIES)[number]["id"];
    singleUse: boolean;
  }>({ design: "midnight", validity: "365", singleUse: false }, create.error);
  const submit = () => {
    const body: BodyOf<typeof OPERATIONS.createVirtualCard> = {
      user_id: holder.id,
      currency,
      design_type: form.values.design,
      single_use: form.values.singleUse,
      validity: Number(form.values.validity),
    };
    void form.send(OPERATIONS.createVirtualCard, body, () => create.mutate({ body }));
  };
  return (
    <DialogForm
      action="Create card"
      error={create.error}
      isPending={create.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p>
        For <strong className="font-medium">{holder.name}</strong>. The card starts active with a
        zero balance.
      </p>
      <Choice
        label="Design"
        onChange={(design) => form.set("design", design)}
        options={DESIGNS}
        value={form.values.design}
      />
      <Choice
        label="Valid for"
        onChange={(validity) => form.set("validity", validity)}
        options={VALIDITIES}
        value={form.values.validity}
      />
      <Switch
        isSelected={form.values.singleUse}
        onChange={(singleUse) => form.set("singleUse", singleUse)}
      >
        Single-use: closes after its first purchase
      </Switch>
    </DialogForm>
  );
}
