"use client";

import { useState } from "react";
import { notify } from "../../../client/notices.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";

const revokeApiKey = () =>
  import("#lib/api/contract/access.ts").then((contract) => contract.revokeApiKey);

/** Revokes a key after asking once. */
export function RevokeKey({
  id,
  name,
  obstacle,
}: {
  id: string;
  name: string;
  obstacle: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const revoke = useOperation(revokeApiKey, () => {
    close();
    notify(`${name} is revoked.`);
  });
  return (
    <>
      <GuardedButton
        obstacle={obstacle}
        onPress={() => setOpen(true)}
        size="sm"
        variant="danger-soft"
      >
        Revoke
      </GuardedButton>
      <Dialog isOpen={isOpen} onClose={close} size="sm" title={`Revoke ${name}`}>
        <DialogForm
          action="Revoke key"
          error={revoke.error}
          isDanger
          isPending={revoke.isPending}
          onCancel={close}
          onSubmit={() => revoke.mutate({ id })}
        >
          <p className="text-muted">
            Programs that still use it are refused within five seconds. This cannot be undone.
          </p>
        </DialogForm>
      </Dialog>
    </>
  );
}
