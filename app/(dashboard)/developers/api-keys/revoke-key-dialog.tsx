"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";

/** Revokes a key after a confirmation. */
export function RevokeKeyDialog({
  id,
  name,
  onClose,
}: {
  id: string;
  name: string;
  onClose: () => void;
}) {
  const revoke = useOperation(OPERATIONS.revokeApiKey, () => {
    onClose();
    notify(`${name} revoked`);
  });
  return (
    <Dialog onClose={onClose} size="sm" title={`Revoke ${name}`}>
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
    </Dialog>
  );
}
