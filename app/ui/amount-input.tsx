"use client";

import { Description, FieldError, Label, NumberField } from "@heroui/react";
import { AMOUNT_MAX, minorDigits } from "#lib/money.ts";

/** An amount typed in major units; `value` is in minor ones, as it is sent. Null while nothing is typed. */
export function AmountInput({
  label,
  currency,
  value,
  onChange,
  error,
  description,
  autoFocus = false,
  isRequired = true,
}: {
  label: string;
  currency: string;
  value: number | null;
  onChange: (value: number | null) => void;
  error?: string | readonly string[] | undefined;
  description?: string;
  autoFocus?: boolean;
  isRequired?: boolean;
}) {
  const scale = 10 ** minorDigits(currency);
  return (
    <NumberField
      formatOptions={{ style: "currency", currency, currencyDisplay: "narrowSymbol" }}
      fullWidth
      isInvalid={error !== undefined}
      isRequired={isRequired}
      maxValue={AMOUNT_MAX / scale}
      minValue={0}
      onChange={(major) => onChange(Number.isNaN(major) ? null : Math.round(major * scale))}
      step={1 / scale}
      value={value === null ? Number.NaN : value / scale}
    >
      <Label>{label}</Label>
      <NumberField.Group>
        <NumberField.Input autoFocus={autoFocus} className="text-base tabular-nums" />
      </NumberField.Group>
      {description && error === undefined && <Description>{description}</Description>}
      <FieldError>{value === null ? "Type an amount." : toText(error)}</FieldError>
    </NumberField>
  );
}

function toText(error: string | readonly string[] | undefined): string | undefined {
  return typeof error === "string" ? error : error?.join(" ");
}
