"use client";

import { CountrySelect } from "../ui/country-select.tsx";
import { SuggestedInput } from "../ui/suggested-input.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { listCountries } from "#lib/base/countries.ts";

const COUNTRIES = listCountries();

/** A cardholder's details as typed. */
export const EMPTY_HOLDER = {
  first_name: "",
  last_name: "",
  email: "",
  phone_number: "",
  line1: "",
  line2: "",
  city: "",
  state: "",
  zip_code: "",
  country: "",
};

export type HolderValues = typeof EMPTY_HOLDER;

/** One field of a form. */
export interface Field<Name extends string> {
  name: Name;
  label: string;
  type?: "text" | "email" | "tel";
  isOptional?: boolean;
  /** The most common values, where any text is allowed. */
  suggestions?: readonly string[];
}

export const PERSON_FIELDS: readonly Field<keyof HolderValues>[] = [
  { name: "first_name", label: "First name" },
  { name: "last_name", label: "Last name" },
  { name: "email", label: "Email", type: "email" },
  { name: "phone_number", label: "Phone", type: "tel" },
];

/** The address. Many countries have neither states nor postal codes. */
export const ADDRESS_FIELDS: readonly Field<keyof HolderValues>[] = [
  { name: "line1", label: "Address" },
  { name: "line2", label: "Apartment or suite", isOptional: true },
  { name: "city", label: "City" },
  { name: "state", label: "State or region", isOptional: true },
  { name: "zip_code", label: "Postal code", isOptional: true },
  { name: "country", label: "Country" },
];

/** The details in the form that the operations take. */
export function toHolderBody<Values extends HolderValues>(values: Values) {
  const { line1, line2, city, state, zip_code, country, ...person } = values;
  return { ...person, address: { line1, line2, city, state, zip_code, country } };
}

interface HolderFormState<Name extends string> {
  values: Readonly<Record<Name, string>>;
  errors: Readonly<Record<string, readonly string[] | string>>;
  set: (name: Name, value: string) => void;
}

/** Labeled fields in two columns. Errors of an address are shown below the address. */
export function HolderFields<Name extends string>({
  fields,
  form,
}: {
  fields: readonly Field<Name>[];
  form: HolderFormState<Name>;
}) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {fields.map((field, index) => (
        <HolderField field={field} form={form} isFirst={index === 0} key={field.name} />
      ))}
    </div>
  );
}

function HolderField<Name extends string>({
  field: { name, label, type = "text", isOptional = false, suggestions },
  form,
  isFirst,
}: {
  field: Field<Name>;
  form: HolderFormState<Name>;
  isFirst: boolean;
}) {
  const shared = {
    error: form.errors[name] ?? form.errors[`address.${name}`],
    isRequired: !isOptional,
    label,
    onChange: (value: string) => form.set(name, value),
    value: form.values[name],
  };
  if (name === "country") {
    return <CountrySelect {...shared} countries={COUNTRIES} />;
  }
  if (suggestions) {
    return <SuggestedInput {...shared} suggestions={suggestions} />;
  }
  return <TextInput {...shared} autoFocus={isFirst} type={type} />;
}
