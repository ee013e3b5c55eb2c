"use client";

import { inputVariants } from "@heroui/styles";
import { useEffect, useId, useRef } from "react";
import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { listTimeZones, toTimeZoneName } from "#lib/base/time-zone.ts";

interface Props {
  timeZone: string;
  onClose: () => void;
}

/** Changes the zone whose days and clocks the account uses. */
export function TimeZoneDialog(props: Props) {
  return (
    <Dialog isOpen onClose={props.onClose} size="sm" title="Time zone">
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
      <ZoneSelect
        error={form.errors["time_zone"]}
        onChange={(value) => form.set("time_zone", value)}
        value={form.values.time_zone}
      />
    </DialogForm>
  );
}

/** The browser's own select: letters find one of 400 zones, and a phone shows its own list. */
function ZoneSelect({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (zone: string) => void;
  error: string | readonly string[] | undefined;
}) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  // The dialog would focus itself.
  useEffect(() => select.current?.focus(), []);
  const zones = listTimeZones();
  const problem = typeof error === "string" ? error : error?.join(" ");
  return (
    <div className="flex flex-col gap-1">
      <label className="label" htmlFor={id}>
        Time zone
      </label>
      <select
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        aria-invalid={problem !== undefined}
        className={inputVariants({ fullWidth: true })}
        data-invalid={problem === undefined ? undefined : "true"}
        id={id}
        ref={select}
        onChange={(event) => onChange(event.target.value)}
        value={value}
      >
        {!zones.includes(value) && <option value={value}>{value}</option>}
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {toTimeZoneName(zone)}
          </option>
        ))}
      </select>
      {problem !== undefined && (
        <p className="text-danger text-xs" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </div>
  );
}
