"use client";

import { OPERATIONS } from "../../../client/operations.ts";
import { notify } from "../../../client/notice-store.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { CountrySelect } from "../../../ui/country-select.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { listCountries } from "#lib/base/countries.ts";

const COUNTRIES = listCountries();

interface Details {
  registration_number: string;
  country: string;
  contact_number: string;
}

interface Props {
  account: Details;
  onClose: () => void;
}

/** Changes or completes the company's registration. */
export function RegistrationDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} title="Registration">
      <RegistrationForm {...props} />
    </Dialog>
  );
}

function RegistrationForm({ account, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { ...account },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  const { registration_number, country, contact_number } = form.values;
  // A field that the registration left out stays empty until it is filled in.
  const body = {
    country,
    ...(registration_number === "" && account.registration_number === ""
      ? {}
      : { registration_number }),
    ...(contact_number === "" && account.contact_number === "" ? {} : { contact_number }),
  };
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body })}
    >
      <TextInput
        autoFocus
        error={form.errors["registration_number"]}
        label="Registration number"
        onChange={(value) => form.set("registration_number", value)}
        value={registration_number}
      />
      <CountrySelect
        countries={COUNTRIES}
        error={form.errors["country"]}
        onChange={(value) => form.set("country", value)}
        value={country}
      />
      <TextInput
        autoComplete="tel"
        error={form.errors["contact_number"]}
        label="Phone"
        onChange={(value) => form.set("contact_number", value)}
        type="tel"
        value={contact_number}
      />
    </DialogForm>
  );
}
