"use client";

import type { ComponentProps } from "react";
import { Field } from "./field.tsx";
import type { FieldProps } from "./field.tsx";
import { useEarlyInput } from "./use-early-input.ts";

type Native = Pick<
  ComponentProps<"input">,
  | "autoComplete"
  | "autoFocus"
  | "className"
  | "inputMode"
  | "maxLength"
  | "placeholder"
  | "spellCheck"
>;

interface TextInputProps extends FieldProps, Native {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "password" | "email" | "url" | "tel" | "date" | "datetime-local";
  isDisabled?: boolean;
  /** The number of visible lines, if it takes several lines. */
  rows?: number;
}

/** A labeled text field with its error below. */
export function TextInput({
  label,
  error,
  description,
  isRequired,
  isLabelHidden,
  type = "text",
  isDisabled = false,
  className = "",
  rows,
  value,
  onChange,
  ...native
}: TextInputProps) {
  const ref = useEarlyInput<HTMLInputElement & HTMLTextAreaElement>(value, onChange);
  const shared = { ...native, className: `input ${className}`, disabled: isDisabled, ref, value };
  const change = ({ target }: { target: { value: string } }) => onChange(target.value);
  return (
    <Field {...{ label, error, description, isRequired, isLabelHidden }}>
      {(control) =>
        rows === undefined ? (
          <input {...shared} {...control} onChange={change} type={type} />
        ) : (
          <textarea {...shared} {...control} onChange={change} rows={rows} />
        )
      }
    </Field>
  );
}
