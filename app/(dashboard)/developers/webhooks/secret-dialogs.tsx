"use client";

import { useState } from "react";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

interface Props {
  endpointId: string;
  onClose: () => void;
}

/** Shows the current secret, which requires a recent sign-in. */
export function RevealDialog({ endpointId, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Signing secret">
      <RevealForm endpointId={endpointId} onClose={onClose} />
    </Dialog>
  );
}

function RevealForm({ endpointId, onClose }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const reveal = useOperation(OPERATIONS.revealWebhookSecret, ({ data }) => setSecret(data.secret));
  if (secret !== null) {
    return (
      <ShownOnceStep
        label="Signing secret"
        note="Use it to verify the webhook-signature header."
        onClose={onClose}
        text={secret}
        warning="Anyone who has it can forge events to your endpoint."
      />
    );
  }
  return (
    <DialogForm
      action="Reveal secret"
      error={reveal.error}
      isPending={reveal.isPending}
      onCancel={onClose}
      onSubmit={() => reveal.mutate({ body: { endpoint_id: endpointId } })}
    >
      <p className="text-muted">
        Viewing this is recorded in the audit log. You may be asked to confirm your password.
      </p>
    </DialogForm>
  );
}

/** Rotates the secret after a confirmation, and shows the new one. */
export function RotateDialog({ endpointId, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Rotate signing secret">
      <RotateForm endpointId={endpointId} onClose={onClose} />
    </Dialog>
  );
}

function RotateForm({ endpointId, onClose }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useOperation(OPERATIONS.rotateWebhookSecret, ({ data }) => setSecret(data.secret));
  if (secret !== null) {
    return (
      <ShownOnceStep
        label="Signing secret"
        note="The secret before it stays valid for 24 hours. Update your endpoint before then."
        onClose={onClose}
        text={secret}
        warning="Save it now. It's shown only once; later, only owners can reveal it."
      />
    );
  }
  return (
    <DialogForm
      action="Rotate secret"
      error={rotate.error}
      isPending={rotate.isPending}
      onCancel={onClose}
      onSubmit={() => rotate.mutate({ body: { endpoint_id: endpointId } })}
    >
      <p className="text-muted">
        The current secret stays valid alongside the new one for 24 hours, so that no events are
        lost while you switch. You can rotate five times within 24 hours.
      </p>
    </DialogForm>
  );
}
