"use client";

import { Button, Modal } from "@heroui/react";
import { useState } from "react";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { ShownOnce } from "../../../ui/shown-once.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Shows the present secret, after a sign-in of the last minutes. */
export function RevealDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Signing secret">
      <RevealForm onClose={onClose} />
    </Dialog>
  );
}

function RevealForm({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const reveal = useOperation(OPERATIONS.revealWebhookSecret, ({ data }) => setSecret(data.secret));
  if (secret !== null) {
    return (
      <Shown
        note="Your receiver verifies the webhook-signature header with it."
        onClose={onClose}
        secret={secret}
        warning="Whoever has it can send you notifications in our name."
      />
    );
  }
  return (
    <DialogForm
      action="Show the secret"
      error={reveal.error}
      isPending={reveal.isPending}
      onCancel={onClose}
      onSubmit={() => reveal.mutate({})}
    >
      <p className="text-muted">
        That you looked at it is put on record in the audit log. It needs a sign-in of the last five
        minutes.
      </p>
    </DialogForm>
  );
}

/** Makes a new secret after asking once, and shows it. */
export function RotateDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Rotate the signing secret">
      <RotateForm onClose={onClose} />
    </Dialog>
  );
}

function RotateForm({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useOperation(OPERATIONS.rotateWebhookSecret, ({ data }) => setSecret(data.secret));
  if (secret !== null) {
    return (
      <Shown
        note="Both secrets sign for 24 hours. Give the new one to your receiver before they are over."
        onClose={onClose}
        secret={secret}
        warning="Keep it now: it is shown this once. Later only an owner can reveal it."
      />
    );
  }
  return (
    <DialogForm
      action="Make a new secret"
      error={rotate.error}
      isPending={rotate.isPending}
      onCancel={onClose}
      onSubmit={() => rotate.mutate({})}
    >
      <p className="text-muted">
        The present secret goes on signing beside the new one for 24 hours, so that nothing is lost
        while you change over. A secret that was already on its way out stops at once.
      </p>
    </DialogForm>
  );
}

function Shown({
  secret,
  note,
  warning,
  onClose,
}: {
  secret: string;
  note: string;
  warning: string;
  onClose: () => void;
}) {
  return (
    <>
      <Modal.Body>
        <ShownOnce label="Signing secret" note={note} text={secret} warning={warning} />
      </Modal.Body>
      <Modal.Footer>
        <Button onPress={onClose}>Done</Button>
      </Modal.Footer>
    </>
  );
}
