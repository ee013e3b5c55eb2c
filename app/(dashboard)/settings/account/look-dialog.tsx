"use client";

import { OPERATIONS } from "../../../client/operations.ts";
import { notify } from "../../../client/notice-store.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { CardFace, SAMPLE_CARD } from "../../../ui/card-face.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { cardColorSchema } from "#lib/base/account-fields.ts";

/** Colors to start from; any other can be typed. */
const COLORS = [
  { name: "Midnight", color: "#1b2340" },
  { name: "Blue", color: "#0b5fa5" },
  { name: "Forest", color: "#12382b" },
  { name: "Teal", color: "#0f766e" },
  { name: "Violet", color: "#6d28d9" },
  { name: "Pink", color: "#b4235a" },
  { name: "Rust", color: "#8f2f28" },
  { name: "Sand", color: "#e9dcc3" },
];

interface Props {
  businessName: string;
  programName: string | null;
  /** `#rrggbb` in lower case. */
  cardColor: string | null;
  onClose: () => void;
}

/** Changes the name and the color on the drawn cards. */
export function LookDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} title="Card design">
      <LookForm {...props} />
    </Dialog>
  );
}

function LookForm({ businessName, programName, cardColor, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { program_name: programName ?? "", card_color: cardColor ?? "" },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  const { program_name, card_color } = form.values;
  const color = cardColorSchema.safeParse(card_color).data ?? null;
  const body = {
    program_name: program_name.trim() || null,
    card_color: card_color.trim() || null,
  };
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body })}
    >
      <div className="flex justify-center">
        <CardFace {...SAMPLE_CARD} look={{ program: program_name.trim() || businessName, color }} />
      </div>
      <TextInput
        autoFocus
        description="Shown on your cards. Leave empty to use your company name."
        error={form.errors["program_name"]}
        label="Program name"
        maxLength={40}
        onChange={(value) => form.set("program_name", value)}
        placeholder={businessName}
        value={program_name}
      />
      <div className="flex flex-col gap-2">
        <TextInput
          description="A hex color. Leave empty to use each card's design type."
          error={form.errors["card_color"]}
          label="Card color"
          maxLength={7}
          onChange={(value) => form.set("card_color", value)}
          placeholder="#1b2340"
          value={card_color}
        />
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Suggested colors</legend>
          {COLORS.map((each) => (
            <input
              aria-label={each.name}
              checked={each.color === color}
              className="checked:outline-foreground focus-visible:outline-focus size-7 cursor-pointer appearance-none rounded-full border outline-2 outline-offset-2 outline-transparent"
              key={each.color}
              name="suggested-color"
              onChange={() => form.set("card_color", each.color)}
              style={{ backgroundColor: each.color }}
              title={each.name}
              type="radio"
            />
          ))}
        </fieldset>
      </div>
    </DialogForm>
  );
}
