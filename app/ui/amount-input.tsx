"use client";

import { Field } from "./field.tsx";
import type { FieldProps } from "./field.tsx";
import type { AmountField } from "./use-amount.ts";
import { toSymbol } from "#lib/base/typed-amount.ts";

/** An amount typed in major units. The field keeps the text exactly as typed, and says what is wrong with it. */
export function AmountInput({
  label,
  field,
  error,
  description,
}: Pick<FieldProps, "label" | "error" | "description"> & { field: AmountField }) {
  const symbol = toSymbol(field.currency);
  return (
    <Field
      description={description}
      error={field.error ?? error}
      isRequired={field.isRequired}
      label={label}
    >
      {(control) => (
        <div className="input input-group">
          {symbol !== "" && (
            <span aria-hidden className="text-muted">
              {symbol}
            </span>
          )}
          <input
            {...control}
            aria-label={`${label} in ${field.currency}`}
            autoComplete="off"
            className="text-base"
            inputMode="decimal"
            onBlur={field.onBlur}
            onChange={({ target }) => field.onChange(target.value)}
            spellCheck={false}
            value={field.text}
          />
          <span aria-hidden className="text-muted">
            {field.currency}
          </span>
        </div>
      )}
    </Field>
  );
}
