"use client";

import { useQuery } from "@tanstack/react-query";
import { useForm } from "../../client/use-form.ts";
import { useOperation } from "../../client/use-operation.ts";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import type { Holder } from "./holder.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { BodyOf } from "#lib/api/client.ts";

/** Many countries have neither states nor postal codes. */
const FIELDS: readonly Field[] = [
  { name: "first_name", label: "First name" },
  { name: "last_name", label: "Last name" },
  { name: "email", label: "Email", type: "email" },
  { name: "phone_number", label: "Phone", type: "tel" },
  { name: "id_type", label: "ID type", placeholder: "passport" },
  { name: "id_number", label: "ID number" },
  { name: "line1", label: "Address" },
  { name: "city", label: "City" },
  { name: "state", label: "State or region", isOptional: true },
  { name: "zip_code", label: "Postal code", isOptional: true },
  { name: "country", label: "Country" },
];

const EMPTY = {
  first_name: "",
  last_name: "",
  email: "",
  phone_number: "",
  id_type: "",
  id_number: "",
  line1: "",
  city: "",
  state: "",
  zip_code: "",
  country: "",
};

interface Field {
  name: keyof typeof EMPTY;
  label: string;
  type?: "email" | "tel";
  placeholder?: string;
  isOptional?: boolean;
}

/** Registers a cardholder. */
export function HolderForm({
  onRegistered,
  onCancel,
}: {
  onRegistered: (holder: Holder) => void;
  onCancel: () => void;
}) {
  const account = useQuery({
    queryKey: ["account"],
    queryFn: () => callApi(OPERATIONS.getAccount, {}),
  });
  const register = useOperation(OPERATIONS.registerUser, ({ data }) =>
    onRegistered({ id: data.id, name: `${data.first_name} ${data.last_name}` }),
  );
  const form = useForm(EMPTY, register.error);
  const submit = () => {
    const { line1, city, state, zip_code, country, ...person } = form.values;
    const body: BodyOf<typeof OPERATIONS.registerUser> = {
      ...person,
      address: { line1, city, state, zip_code, country },
    };
    void form.send(OPERATIONS.registerUser, body, () =>
      register.mutate({ id: account.data?.data.id, body }),
    );
  };
  return (
    <DialogForm
      action="Add cardholder"
      error={register.error ?? account.error}
      isPending={register.isPending || account.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {FIELDS.map(({ name, isOptional = false, ...field }) => (
          <TextInput
            key={name}
            {...field}
            error={form.errors[name] ?? form.errors[`address.${name}`]}
            isRequired={!isOptional}
            onChange={(value) => form.set(name, value)}
            value={form.values[name]}
          />
        ))}
      </div>
    </DialogForm>
  );
}
