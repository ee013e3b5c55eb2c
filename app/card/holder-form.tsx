"use client";

import { useQuery } from "@tanstack/react-query";
import { useUnsavedChanges } from "../client/unsaved-changes.ts";
import { useOperationForm } from "../client/use-operation-form.ts";
import { DialogForm } from "../client/dialog-form.tsx";
import {
  ADDRESS_FIELDS,
  EMPTY_HOLDER,
  HolderFields,
  PERSON_FIELDS,
  toHolderBody,
} from "./holder-fields.tsx";
import type { Field } from "./holder-fields.tsx";
import type { Holder } from "./holder.ts";
import { OPERATIONS } from "../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { BodyOf } from "#lib/api/client.ts";

const EMPTY = { ...EMPTY_HOLDER, id_type: "", id_number: "" };

const FIELDS: readonly Field<keyof typeof EMPTY>[] = [
  ...PERSON_FIELDS,
  {
    name: "id_type",
    label: "ID type",
    suggestions: ["Passport", "National ID card", "Driver’s license", "Residence permit"],
  },
  { name: "id_number", label: "ID number" },
  ...ADDRESS_FIELDS,
];

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
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.registerUser,
    EMPTY,
    ({ data }) => onRegistered({ id: data.id, name: `${data.first_name} ${data.last_name}` }),
  );
  useUnsavedChanges(form.isDirty);
  const body: BodyOf<typeof OPERATIONS.registerUser> = toHolderBody(form.values);
  return (
    <DialogForm
      action="Add cardholder"
      error={error ?? account.error}
      isPending={isPending || account.isPending}
      onCancel={onCancel}
      onSubmit={() => submit({ id: account.data?.data.id, body })}
    >
      <HolderFields fields={FIELDS} form={form} />
    </DialogForm>
  );
}
