"use client";

import { Field } from "./field.tsx";
import type { FieldProps } from "./field.tsx";
import { useEarlyInput } from "./use-early-input.ts";

export interface ChoiceProps<Id extends string> extends FieldProps {
  options: readonly { id: Id; name: string }[];
  /** The id of an option, or null while none is chosen. Any other text is listed as is. */
  value: Id | null;
  onChange: (id: Id) => void;
  /** Shown while nothing is chosen. */
  placeholder?: string;
  autoComplete?: string;
}

/** The browser's own select: typed letters find an option, and phones show their own list. */
export function Choice<Id extends string>({
  options,
  value,
  onChange,
  placeholder = "Choose one",
  autoComplete,
  ...field
}: ChoiceProps<Id>) {
  const choose = (id: string) => {
    const chosen = options.find((option) => option.id === id);
    if (chosen) {
      onChange(chosen.id);
    }
  };
  const select = useEarlyInput<HTMLSelectElement>(value ?? "", choose);
  const isListed = value === null || options.some(({ id }) => id === value);
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          autoComplete={autoComplete}
          className="input"
          onChange={({ target }) => choose(target.value)}
          ref={select}
          value={value ?? ""}
        >
          {value === null && (
            <option disabled value="">
              {placeholder}
            </option>
          )}
          {!isListed && <option value={value}>{value}</option>}
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
