"use client";

import { Description, FieldError, Input, Label, TextArea, TextField } from "@heroui/react";
import { useEarlyInput } from "./use-early-input.ts";

/** A labeled text field with its error below. */
export function TextInput({
  label,
  value,
  onChange,
  error,
  description,
  multiline = false,
  ...rest
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | readonly string[] | undefined;
  description?: string;
  type?: "text" | "password" | "email" | "url" | "tel" | "date" | "datetime-local";
  autoComplete?: string;
  autoFocus?: boolean;
  maxLength?: number;
  isDisabled?: boolean;
  isRequired?: boolean;
  placeholder?: string;
  multiline?: boolean;
}) {
  const { placeholder, ...field } = rest;
  const input = useEarlyInput<HTMLInputElement & HTMLTextAreaElement>(value, onChange);
  const shown = placeholder === undefined ? {} : { placeholder };
  return (
    <TextField
      {...field}
      fullWidth
      isInvalid={error !== undefined}
      onChange={onChange}
      value={value}
    >
      <Label>{label}</Label>
      {multiline ? <TextArea ref={input} rows={3} {...shown} /> : <Input ref={input} {...shown} />}
      {description && error === undefined && <Description>{description}</Description>}
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
    </TextField>
  );
}
