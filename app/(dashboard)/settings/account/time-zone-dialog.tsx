"use client";

import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
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
  const update = useOperation(OPERATIONS.updateSettings, () => {
    onClose();
    notify("Changes saved");
  });
  const form = useForm({ time_zone: timeZone }, update.error);
  useUnsavedChanges(form.isDirty);
  const body = { time_zone: form.values.time_zone };
  return (
    <DialogForm
      action="Save changes"
      error={update.error}
      isPending={update.isPending}
      onCancel={onClose}
      onSubmit={() =>
        void form.send(OPERATIONS.updateSettings, body, () => update.mutate({ body }))
      }
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
