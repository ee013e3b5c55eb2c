"use client";

import { useState } from "react";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useTimeZone } from "../ui/time-zone.tsx";
import { useOperationForm } from "../client/use-operation-form.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../client/dialog-form.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { toAdvancedNotice } from "./clock-notice.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import { toLocalMinute, toLocalMoment, toTimeZoneName } from "#lib/base/time-zone.ts";

/** Asks for the time to advance the deadlines to. */
export function ClockDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Advance deadlines">
      <ClockForm onClose={onClose} />
    </Dialog>
  );
}

function ClockForm({ onClose }: { onClose: () => void }) {
  const timeZone = useTimeZone();
  const clockOffsetS = useClockOffset();
  const [initial] = useState(() => ({ to: toMinute({ clockOffsetS }, timeZone) }));
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.advanceClock,
    initial,
    ({ data }) => {
      onClose();
      notify(toAdvancedNotice(data.offset_seconds));
    },
  );
  const to = toLocalMoment(form.values.to, timeZone);
  return (
    <DialogForm
      action="Advance"
      disabledReason={to ? null : "Enter a date and a time."}
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => to && submit({ body: { to: to.toISOString() } })}
    >
      <p className="text-muted">
        Authorizations and cards whose deadlines pass on the way expire now. Everything else keeps
        real time.
      </p>
      <TextInput
        description={`In ${toTimeZoneName(timeZone)}, at most 400 days later.`}
        error={form.errors["to"]}
        label="Advance to"
        onChange={(value) => form.set("to", value)}
        type="datetime-local"
        value={form.values.to}
      />
    </DialogForm>
  );
}

/** The clock's current time in the field's format. */
function toMinute(clock: DeadlineClock, timeZone: string): string {
  return toLocalMinute(toDeadlineTime(clock, new Date()), timeZone);
}
