"use client";

import { DateField, Description, FieldError, Label } from "@heroui/react";
import { parseAbsolute } from "@internationalized/date";
import type { ZonedDateTime } from "@internationalized/date";
import { notify } from "../../../client/notice-store.ts";
import { useTimeZone } from "../../../ui/time-zone.tsx";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { toTimeZoneName } from "#lib/base/time-zone.ts";

/** Resends everything since a given time that never arrived. */
export function RecoverDialog({ since, onClose }: { since: string; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Recover missed events">
      <RecoverForm onClose={onClose} since={since} />
    </Dialog>
  );
}

function RecoverForm({ since, onClose }: { since: string; onClose: () => void }) {
  const timeZone = useTimeZone();
  const recover = useOperation(OPERATIONS.recoverWebhookDeliveries, ({ data }) => {
    onClose();
    notify(toNotice(data));
  });
  const form = useForm<{ since: ZonedDateTime | null }>(
    { since: parseAbsolute(since, timeZone) },
    recover.error,
  );
  const submit = () => {
    const body = { since: form.values.since?.toAbsoluteString() ?? "" };
    void form.send(OPERATIONS.recoverWebhookDeliveries, body, () => recover.mutate({ body }));
  };
  return (
    <DialogForm
      action="Recover"
      error={recover.error}
      isPending={recover.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        Sends events whose delivery failed or was stopped, and events that were never sent because
        webhooks were disabled, oldest first. Delivered events are not sent again.
      </p>
      <SinceField
        error={form.errors["since"]}
        onChange={(value) => form.set("since", value)}
        value={form.values.since}
      />
    </DialogForm>
  );
}

function SinceField({
  value,
  onChange,
  error,
}: {
  value: ZonedDateTime | null;
  onChange: (value: ZonedDateTime | null) => void;
  error: string | readonly string[] | undefined;
}) {
  const timeZone = useTimeZone();
  return (
    <DateField
      fullWidth
      granularity="minute"
      hourCycle={24}
      isInvalid={error !== undefined}
      onChange={onChange}
      value={value}
    >
      <Label>Since</Label>
      <DateField.Group>
        <DateField.Input>{(segment) => <DateField.Segment segment={segment} />}</DateField.Input>
      </DateField.Group>
      {error === undefined && (
        <Description>{`Up to 30 days ago, in ${toTimeZoneName(timeZone)}.`}</Description>
      )}
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
    </DateField>
  );
}

function toNotice({ recovered, complete }: { recovered: number; complete: boolean }): string {
  if (recovered === 0) {
    return "No missed events since then.";
  }
  const queued =
    recovered === 1 ? "1 event queued." : `${recovered.toLocaleString("en-US")} events queued.`;
  return complete ? queued : `${queued} More remain.`;
}
