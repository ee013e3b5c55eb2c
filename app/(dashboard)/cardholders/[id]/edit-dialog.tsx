"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
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
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateUser,
    toValues(cardholder),
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  return (
    <Dialog onClose={onClose} title="Edit cardholder">
      <DialogForm
        action="Save changes"
        error={error}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={() => submit({ id: cardholder.id, body: toHolderBody(form.values) })}
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
