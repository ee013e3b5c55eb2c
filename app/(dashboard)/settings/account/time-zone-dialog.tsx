"use client";

import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { listTimeZones, toTimeZoneName } from "#lib/base/time-zone.ts";

interface Props {
  timeZone: string;
  onClose: () => void;
}

/** Changes the account's time zone. */
export function TimeZoneDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="sm" title="Time zone">
      <TimeZoneForm {...props} />
    </Dialog>
  );
}

function TimeZoneForm({ timeZone, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { time_zone: timeZone },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: form.values })}
    >
      <p className="text-muted">
        Times, days, charts, and exports use this zone for everyone in your account. The API stays
        in UTC.
      </p>
      <Choice
        error={form.errors["time_zone"]}
        label="Time zone"
        onChange={(zone) => form.set("time_zone", zone)}
        options={listTimeZones().map((id) => ({ id, name: toTimeZoneName(id) }))}
        value={form.values.time_zone}
      />
    </DialogForm>
  );
}
