"use client";

import { Choice } from "./choice.tsx";
import { TextInput } from "./text-input.tsx";

/** The props of a field in a filter dialog. Undefined means no filter. */
interface FieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Stands for no filter. */
const ANY = "*";

/** One of a few values, or any. */
export function AnyChoice({
  options,
  value,
  onChange,
  label,
}: FieldProps & { options: readonly { id: string; name: string }[] }) {
  return (
    <Choice
      label={label}
      onChange={(id) => onChange(id === ANY ? undefined : id)}
      options={[{ id: ANY, name: "Any" }, ...options]}
      value={value ?? ANY}
    />
  );
}

/** The first or the last day of a range. */
export function DayInput({ label, value, onChange }: FieldProps) {
  return (
    <TextInput
      label={label}
      onChange={(text) => onChange(text || undefined)}
      type="date"
      value={value ?? ""}
    />
  );
}

/** A text that is matched as a whole, such as an id. */
export function TextFilter({ label, value, onChange }: FieldProps) {
  return (
    <TextInput label={label} onChange={(text) => onChange(text || undefined)} value={value ?? ""} />
  );
}
