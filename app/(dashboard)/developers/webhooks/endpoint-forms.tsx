"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { EndpointFields, toHeaders } from "./endpoint-fields.tsx";
import type { EndpointValues } from "./endpoint-fields.tsx";
import { keepsHeaders } from "#lib/base/webhook-headers.ts";

const NEW: EndpointValues = { webhook_url: "", format: "event", events: [], headers: "" };

/** Adds an endpoint, and shows its signing secret once, if it gets events. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Add endpoint">
      <AddForm onClose={onClose} />
    </Dialog>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.createWebhookEndpoint,
    NEW,
    ({ data, secret: made }) => {
      if (data.format === "event") {
        setSecret(made);
      } else {
        // A chat does not verify signatures, so there is no secret to show.
        onClose();
        notify("Endpoint added");
      }
    },
  );
  useUnsavedChanges(secret === null && form.isDirty);
  if (secret !== null) {
    return (
      <ShownOnceStep
        label="Signing secret"
        note="The endpoint is ready. Use the secret to verify the webhook-signature header."
        onClose={onClose}
        text={secret}
        warning="Save it now. It's shown only once; later, only owners can reveal it."
      />
    );
  }
  const { webhook_url, format, events, headers } = form.values;
  const body = {
    webhook_url,
    format,
    events: [...events],
    headers: Object.fromEntries(
      Object.entries(toHeaders(headers)).map(([name, value]) => [name, value ?? ""]),
    ),
  };
  return (
    <DialogForm
      action="Add endpoint"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body })}
    >
      <EndpointFields
        form={form}
        headersHint="Sent with each request, one per line. Stored encrypted, and not shown again."
      />
    </DialogForm>
  );
}

interface Editable {
  id: string;
  webhookUrl: string;
  format: EndpointValues["format"];
  events: EndpointValues["events"];
  headerNames: readonly string[];
}

/** Changes an endpoint's URL, format, events, or headers. */
export function EditDialog({ endpoint, onClose }: { endpoint: Editable; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Edit endpoint">
      <EditForm endpoint={endpoint} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({
  endpoint: { id, webhookUrl, format: sent, events: asked, headerNames },
  onClose,
}: {
  endpoint: Editable;
  onClose: () => void;
}) {
  const initial: EndpointValues = {
    webhook_url: webhookUrl,
    format: sent,
    events: asked,
    headers: "",
  };
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateWebhookEndpoint,
    initial,
    ({ dropped_headers: dropped }) => {
      onClose();
      notify(
        dropped.length === 0
          ? "Endpoint changed"
          : `Endpoint changed without ${dropped.join(", ")}`,
      );
    },
  );
  useUnsavedChanges(form.isDirty);
  const { webhook_url, format, events, headers } = form.values;
  const body = { webhook_url, format, events: [...events], headers: toHeaders(headers) };
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ id, body })}
    >
      <EndpointFields
        form={form}
        headersHint={
          keepsHeaders(webhookUrl, form.values.webhook_url)
            ? toHint(headerNames)
            : toNewPlaceHint(headerNames)
        }
      />
      <p className="text-muted">
        With another URL, queued deliveries go there too, and a test event follows. The signing
        secret stays the same.
      </p>
    </DialogForm>
  );
}

function toHint(names: readonly string[]): string {
  return names.length === 0
    ? "Sent with each request, one per line."
    : `Set now: ${names.join(", ")}. Enter a header again to replace it, or without a value to remove it.`;
}

function toNewPlaceHint(names: readonly string[]): string {
  return names.length === 0
    ? toHint(names)
    : `Another host gets none of ${names.join(", ")}, which may hold a credential. Enter again what it needs.`;
}

/** Deletes an endpoint after a confirmation. */
export function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} size="sm" title="Delete endpoint">
      <DeleteForm id={id} onClose={onClose} />
    </Dialog>
  );
}

function DeleteForm({ id, onClose }: { id: string; onClose: () => void }) {
  const router = useRouter();
  const remove = useOperation(OPERATIONS.deleteWebhookEndpoint, () => {
    notify("Endpoint deleted");
    router.push("/developers/webhooks");
  });
  return (
    <DialogForm
      action="Delete endpoint"
      error={remove.error}
      isDanger
      isPending={remove.isPending}
      onCancel={onClose}
      onSubmit={() => remove.mutate({ id })}
    >
      <p className="text-muted">
        Queued deliveries are not sent, and its deliveries are no longer shown. This can&apos;t be
        undone.
      </p>
    </DialogForm>
  );
}
