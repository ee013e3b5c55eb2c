"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import {
  ADDRESS_FIELDS,
  HolderFields,
  PERSON_FIELDS,
  toHolderBody,
} from "../../../card/holder-fields.tsx";
import type { HolderValues } from "../../../card/holder-fields.tsx";
import type { CardholderResource } from "./cardholder-resource.ts";

const FIELDS = [...PERSON_FIELDS, ...ADDRESS_FIELDS];

/** Changes a cardholder's details. */
export function EditDialog({
  cardholder,
  onClose,
}: {
  cardholder: CardholderResource;
  onClose: () => void;
}) {
  const update = useOperation(OPERATIONS.updateUser, () => {
    onClose();
    notify("Changes saved");
  });
  const form = useForm(toValues(cardholder), update.error);
  const submit = () => {
    const body = toHolderBody(form.values);
    void form.send(OPERATIONS.updateUser, body, () => update.mutate({ id: cardholder.id, body }));
  };
  return (
    <Dialog onClose={onClose} title="Edit cardholder">
      <DialogForm
        action="Save changes"
        error={update.error}
        isPending={update.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <HolderFields fields={FIELDS} form={form} />
        <p className="text-muted">
          Existing cards keep the name they were issued with. New cards get the new name.
        </p>
      </DialogForm>
    </Dialog>
  );
}

function toValues({ address, ...person }: CardholderResource): HolderValues {
  const { first_name, last_name, email, phone_number } = person;
  const { line1, line2, city, state, zip_code, country } = address;
  return {
    first_name,
    last_name,
    email,
    phone_number,
    line1,
    line2: line2 ?? "",
    city,
    state: state ?? "",
    zip_code: zip_code ?? "",
    country,
  };
}
