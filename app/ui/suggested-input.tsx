"use client";

import type { FieldProps } from "./field.tsx";
import { SuggestingField } from "./suggesting-field.tsx";

/**
 * A labeled text field with suggestions, opened by the arrow; any other text is accepted, too. Typing never opens
 * them, so that nothing covers the dialog around the field.
 */
export function SuggestedInput({
  value,
  suggestions,
  onChange,
  ...field
}: Pick<FieldProps, "label" | "error" | "description" | "isRequired"> & {
  value: string;
  suggestions: readonly string[];
  onChange: (value: string) => void;
}) {
  return (
    <SuggestingField
      {...field}
      allowsCustomValue
      inputValue={value}
      menuTrigger="manual"
      onInputChange={onChange}
      suggestions={suggestions.map((text) => ({ id: text, name: text }))}
    />
  );
}
