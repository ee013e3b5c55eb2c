"use client";

import { RadioGroup } from "../ui/radio-group.tsx";
import type { ChosenControls, ControlsChoice } from "./chosen-controls.ts";
import { ControlsFields } from "./controls-fields.tsx";

/** Chooses whose spending controls apply, and edits them. */
export function ControlsEditor({
  label,
  choices,
  chosen,
  currency,
  errors,
  onChange,
}: {
  label: string;
  choices: readonly { id: ControlsChoice; name: string }[];
  chosen: ChosenControls;
  currency: string;
  /** The errors from a schema or the server. */
  errors: Readonly<Record<string, readonly string[] | string>>;
  onChange: (chosen: ChosenControls) => void;
}) {
  const problems = Object.values(errors).flat();
  return (
    <>
      <RadioGroup
        label={label}
        onChange={(choice) => onChange({ ...chosen, choice })}
        options={choices}
        value={chosen.choice}
      />
      {chosen.choice === "own" && (
        <ControlsFields
          currency={currency}
          draft={chosen.draft}
          onChange={(draft) => onChange({ ...chosen, draft })}
        />
      )}
      {problems.length > 0 && (
        <p className="text-declined" role="alert">
          {problems.join(" ")}
        </p>
      )}
    </>
  );
}
