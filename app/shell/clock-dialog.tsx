"use client";

import { useState } from "react";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useTimeZone } from "../ui/time-zone.tsx";
import { useForm } from "../client/use-form.ts";
import { useOperation } from "../client/use-operation.ts";
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
  const advance = useOperation(OPERATIONS.advanceClock, ({ data }) => {
    onClose();
    notify(toAdvancedNotice(data.offset_seconds));
  });
  const { values, errors, set, send } = useForm(initial, advance.error);
  const to = toLocalMoment(values.to, timeZone);
  const submit = () => {
    if (!to) {
      return;
    }
    const body = { to: to.toISOString() };
    void send(OPERATIONS.advanceClock, body, () => advance.mutate({ body }));
  };
  return (
    <DialogForm
      action="Advance"
      disabledReason={to ? null : "Enter a date and a time."}
      error={advance.error}
      isPending={advance.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        Authorizations and cards whose deadlines pass on the way expire now. Everything else keeps
        real time.
      </p>
      <TextInput
        description={`In ${toTimeZoneName(timeZone)}, at most 400 days later.`}
        error={errors["to"]}
        label="Advance to"
        onChange={(value) => set("to", value)}
        type="datetime-local"
        value={values.to}
      />
    </DialogForm>
  );
}

/** The clock's current time in the field's format. */
function toMinute(clock: DeadlineClock, timeZone: string): string {
  return toLocalMinute(toDeadlineTime(clock, new Date()), timeZone);
}
