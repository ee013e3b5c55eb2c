"use client";

import { FieldError, Label, Select } from "@heroui/react";
import { Options } from "./options.tsx";

/** One of a few options, with its label. */
export function Choice<Id extends string>({
  label,
  options,
  value,
  onChange,
  error,
  placeholder = "Choose one",
}: {
  label: string;
  options: readonly { id: Id; name: string }[];
  value: Id | null;
  onChange: (value: Id) => void;
  error?: string | readonly string[] | undefined;
  placeholder?: string;
}) {
  const choose = (key: unknown) => {
    const chosen = options.find(({ id }) => id === key);
    if (chosen) {
      onChange(chosen.id);
    }
  };
  return (
    <Select
      fullWidth
      isInvalid={error !== undefined}
      onChange={choose}
      placeholder={placeholder}
      value={value}
    >
      <Label>{label}</Label>
      <Select.Trigger>
        <Select.Value />
        <Select.Indicator />
      </Select.Trigger>
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
      <Options options={options} />
    </Select>
  );
}
