"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";

/** Asks another person to let a key move funds without approval. */
export function ExemptKeyDialog({
  id,
  name,
  onClose,
}: {
  id: string;
  name: string;
  onClose: () => void;
}) {
  const exempt = useOperation(OPERATIONS.exemptApiKey, () => {
    onClose();
    notify(`${name} is exempt from approvals`);
  });
  return (
    <Dialog onClose={onClose} size="sm" title={`Exempt ${name} from approvals`}>
      <DialogForm
        action="Ask for exemption"
        error={exempt.error}
        isPending={exempt.isPending}
        onCancel={onClose}
        onSubmit={() => exempt.mutate({ id })}
      >
        <p className="text-muted">
          This key is newer than your approval rule, so its large moves wait. Once another owner or
          admin exempts it, they no longer do.
        </p>
      </DialogForm>
    </Dialog>
  );
}
