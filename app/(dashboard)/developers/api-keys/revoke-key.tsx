"use client";

import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Revokes a key after a confirmation. */
export function RevokeKey({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} size="sm" variant="danger-soft">
        Revoke
      </Button>
      <Dialog isOpen={isOpen} onClose={close} size="sm" title={`Revoke ${name}`}>
        <RevokeForm id={id} name={name} onClose={close} />
      </Dialog>
    </>
  );
}

function RevokeForm({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const revoke = useOperation(OPERATIONS.revokeApiKey, () => {
    onClose();
    notify(`${name} revoked`);
  });
  return (
    <DialogForm
      action="Revoke key"
      error={revoke.error}
      isDanger
      isPending={revoke.isPending}
      onCancel={onClose}
      onSubmit={() => revoke.mutate({ id })}
    >
      <p className="text-muted">
        Requests with this key are refused within five seconds. This can't be undone.
      </p>
    </DialogForm>
  );
}
