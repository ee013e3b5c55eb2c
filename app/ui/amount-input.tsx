"use client";

import { Description, FieldError, InputGroup, Label, TextField } from "@heroui/react";
import type { AmountField } from "./use-amount.ts";
import { toSymbol } from "#lib/base/typed-amount.ts";

/** An amount typed in major units. The field keeps the text exactly as typed, and says what is wrong with it. */
export function AmountInput({
  label,
  field,
  error,
  description,
  autoFocus = false,
}: {
  label: string;
  field: AmountField;
  /** The server's complaint about it. */
  error?: string | readonly string[] | undefined;
  description?: string | undefined;
  autoFocus?: boolean;
}) {
  const symbol = toSymbol(field.currency);
  const problem = field.error ?? (typeof error === "string" ? error : error?.join(" "));
  return (
    <TextField
      fullWidth
      isInvalid={problem !== undefined}
      isRequired={field.isRequired}
      onBlur={field.onBlur}
      onChange={field.onChange}
      value={field.text}
    >
      <Label>
        <span>{label}</span>
        <span className="sr-only">{` in ${field.currency}`}</span>
      </Label>
      <InputGroup fullWidth>
        {symbol !== "" && (
          <InputGroup.Prefix aria-hidden className="border-0 pe-1.5">
            {symbol}
          </InputGroup.Prefix>
        )}
        <InputGroup.Input
          autoComplete="off"
          autoFocus={autoFocus}
          className="min-w-0 py-1.5 text-base tabular-nums"
          inputMode="decimal"
          spellCheck={false}
        />
        <InputGroup.Suffix aria-hidden className="border-0 ps-1.5">
          {field.currency}
        </InputGroup.Suffix>
      </InputGroup>
      {description && problem === undefined && <Description>{description}</Description>}
      <FieldError>{problem}</FieldError>
    </TextField>
  );
}
