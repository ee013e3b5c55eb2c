"use client";

import { ColorSwatchPicker } from "@heroui/react";
import { useSettingsForm } from "../../../client/use-settings-form.ts";
import { CardFace, SAMPLE_CARD } from "../../../ui/card-face.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { cardColorSchema } from "#lib/base/account-fields.ts";

/** Colors to start from; any other can be typed. */
const COLORS = [
  "#1b2340",
  "#0b5fa5",
  "#12382b",
  "#0f766e",
  "#6d28d9",
  "#b4235a",
  "#8f2f28",
  "#e9dcc3",
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
    <Dialog isOpen onClose={props.onClose} title="Card design">
      <LookForm {...props} />
    </Dialog>
  );
}

function LookForm({ businessName, programName, cardColor, onClose }: Props) {
  const { form, save, error, isPending } = useSettingsForm(
    { program_name: programName ?? "", card_color: cardColor ?? "" },
    onClose,
  );
  const { program_name, card_color } = form.values;
  const color = cardColorSchema.safeParse(card_color).data ?? null;
  const submit = () =>
    save({
      program_name: program_name.trim() || null,
      card_color: card_color.trim() || null,
    });
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={submit}
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
        <ColorSwatchPicker
          aria-label="Suggested colors"
          onChange={(chosen) => form.set("card_color", chosen.toString("hex").toLowerCase())}
          value={color ?? "#ffffff"}
        >
          {COLORS.map((each) => (
            <ColorSwatchPicker.Item color={each} key={each}>
              <ColorSwatchPicker.Swatch />
              <ColorSwatchPicker.Indicator />
            </ColorSwatchPicker.Item>
          ))}
        </ColorSwatchPicker>
      </div>
    </DialogForm>
  );
}
