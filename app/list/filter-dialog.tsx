"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ComponentType } from "react";
import type { FieldKind } from "./field.ts";
import { AnyChoice, DayInput, TextFilter } from "../ui/filter-inputs.tsx";
import type { Field, Fields, Names, Option } from "./field.ts";
import { CardPicker } from "../client/card-picker.tsx";
import { DialogForm } from "../client/dialog-form.tsx";
import { AmountInput } from "../ui/amount-input.tsx";
import { CategoryPicker } from "../client/category-picker.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toHref } from "../ui/pager.tsx";
import { TimeZoneNote } from "../ui/time-zone.tsx";
import { useAmount } from "../ui/use-amount.ts";
import type { AmountField } from "../ui/use-amount.ts";
import { listCountries } from "#lib/base/countries.ts";
import { toTypedAmount } from "#lib/base/typed-amount.ts";
import { UNKNOWN_COUNTRY } from "#lib/transactions/unknown-spend.ts";

/** All filters of a list that are not above it. The filters above it keep their values. */
export function FilterDialog({
  fields,
  names,
  values,
  path,
  noun,
  currency,
  onClose,
}: {
  fields: Fields;
  names: Names;
  values: Readonly<Record<string, string | undefined>>;
  path: string;
  noun: string;
  currency: string;
  onClose: () => void;
}) {
  const router = useRouter();
  const [chosen, setChosen] = useState(values);
  const limits: Readonly<Record<string, AmountField>> = {
    amount_min: useLimit(currency, values["amount_min"]),
    amount_max: useLimit(currency, values["amount_max"]),
  };
  const show = () => {
    const typed = Object.entries(limits).filter(([name]) => name in fields);
    const areAmounts = typed.map(([, limit]) => limit.check()).every(Boolean);
    if (!areAmounts) {
      return;
    }
    const amounts = typed.map(([name, { amount }]) => [name, amount?.toString()]);
    onClose();
    router.push(toHref(path, { ...chosen, ...Object.fromEntries(amounts) }));
  };
  return (
    <Dialog onClose={onClose} title={`Filter ${noun}`}>
      <DialogForm
        action={`Show ${noun}`}
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={show}
      >
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          {Object.entries(fields).map(([name, field]) => {
            const Input = INPUTS[field.kind];
            return (
              Input && (
                <Input
                  field={field}
                  key={name}
                  limit={limits[name]}
                  onChange={(value) =>
                    setChosen((old) => ({ ...old, ...end(field), [name]: value }))
                  }
                  people={names[name] ?? []}
                  value={chosen[name]}
                />
              )
            );
          })}
        </div>
        {"from" in fields && <TimeZoneNote of="Days" />}
      </DialogForm>
    </Dialog>
  );
}

/** The filters to remove when one is set. */
function end({ replaces = [] }: Field): Readonly<Record<string, undefined>> {
  return Object.fromEntries(replaces.map((name) => [name, undefined]));
}

interface InputProps {
  field: Field;
  /** The people that the page names. */
  people: readonly Option[];
  limit: AmountField | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const COUNTRIES = [UNKNOWN_COUNTRY, ...listCountries()];

const INPUTS: Readonly<Partial<Record<FieldKind, ComponentType<InputProps>>>> = {
  choice: ({ field: { label, options = [] }, ...rest }) => (
    <AnyChoice {...rest} label={label} options={options} />
  ),
  person: ({ field: { label }, people, ...rest }) => (
    <AnyChoice {...rest} label={label} options={people} />
  ),
  card: CardPicker,
  category: CategoryPicker,
  country: (props) => <AnyChoice {...props} label="Country" options={COUNTRIES} />,
  text: ({ field: { label }, ...rest }) => <TextFilter {...rest} label={label} />,
  day: ({ field: { label }, ...rest }) => <DayInput {...rest} label={label} />,
  amount: ({ field: { label }, limit }) => limit && <AmountInput field={limit} label={label} />,
};

/** A bound for the amounts to list, which may be zero or absent. */
function useLimit(currency: string, saved: string | undefined): AmountField {
  const initial = saved === undefined ? "" : toTypedAmount(Number(saved), currency);
  return useAmount(currency, { initial, least: 0, isRequired: false });
}
