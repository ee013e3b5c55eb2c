"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { notify } from "../../../client/notice-store.ts";
import { useTimeZone } from "../../../ui/time-zone.tsx";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import { toLocalMinute, toLocalMoment, toTimeZoneName } from "#lib/base/time-zone.ts";

interface Props {
  endpointId: string;
  /** The earliest time since which something may have been missed. */
  since: string;
  onClose: () => void;
}

/** Resends everything since a given time that never arrived. */
export function RecoverDialog({ endpointId, since, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Recover missed events">
      <RecoverForm endpointId={endpointId} onClose={onClose} since={since} />
    </Dialog>
  );
}

function RecoverForm({ endpointId, since, onClose }: Props) {
  const timeZone = useTimeZone();
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.recoverWebhookDeliveries,
    { since: toLocalMinute(new Date(since), timeZone) },
    ({ data }) => {
      onClose();
      notify(toNotice(data));
    },
  );
  const from = toLocalMoment(form.values.since, timeZone)?.toISOString();
  const body = { since: from ?? "", endpoint_id: endpointId };
  return (
    <DialogForm
      action="Recover"
      disabledReason={from === undefined ? "Enter a date and a time." : null}
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body })}
    >
      <p className="text-muted">
        Sends events whose delivery failed, was stopped, or waits for a retry, and events that were
        never sent because webhooks were disabled, oldest first. Delivered events are not sent
        again.
      </p>
      <TextInput
        description={`Up to 30 days ago, in ${toTimeZoneName(timeZone)}.`}
        error={form.errors["since"]}
        label="Since"
        onChange={(value) => form.set("since", value)}
        type="datetime-local"
        value={form.values.since}
      />
      {from !== undefined && <Missed endpoint_id={endpointId} since={from} />}
    </DialogForm>
  );
}

/** A preview of what would be sent. */
function Missed(query: { endpoint_id: string; since: string }) {
  const missed = useQuery({
    queryKey: ["missed", query],
    queryFn: ({ signal }) => callApi(OPERATIONS.getMissedWebhookDeliveries, { query }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return <p role="status">{missed.data ? toPreview(missed.data.data) : ""}</p>;
}

interface MissedEvents {
  count: number;
  waiting: number;
  complete: boolean;
  by_event: readonly { event: string; count: number }[];
}

/** `This sends 3 events: 2 card.credited, 1 card.frozen. This retries 4 events now instead of later.` */
function toPreview({ count, waiting, complete, by_event: byEvent }: MissedEvents): string {
  const each = byEvent.map(({ event, count: own }) => `${own.toLocaleString("en-US")} ${event}`);
  const which = complete ? "" : "the oldest ";
  const sentences = [
    count > 0 && `This sends ${which}${toEventCount(count)}: ${each.join(", ")}.`,
    waiting > 0 && `This retries ${which}${toEventCount(waiting)} now instead of later.`,
  ].filter(Boolean);
  return sentences.join(" ") || "No missed events since then.";
}

function toEventCount(count: number): string {
  return count === 1 ? "1 event" : `${count.toLocaleString("en-US")} events`;
}

function toNotice({ recovered, complete }: { recovered: number; complete: boolean }): string {
  if (recovered === 0) {
    return "No missed events since then.";
  }
  const queued = `${toEventCount(recovered)} queued.`;
  return complete ? queued : `${queued} More remain.`;
}
