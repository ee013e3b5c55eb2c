"use client";

import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";

/** Asks before the test inbox replaces another webhook URL. */
export function ReplaceUrlDialog({
  webhookUrl,
  error,
  isPending,
  onConfirm,
  onClose,
}: {
  webhookUrl: string;
  error: unknown;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title="Use the test inbox">
      <DialogForm
        action="Replace URL"
        error={error}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={onConfirm}
      >
        <p>The test inbox replaces your webhook URL:</p>
        <p className="font-mono text-sm break-all">{webhookUrl}</p>
        <p className="text-muted">
          Queued deliveries go to the inbox too. The signing secret stays the same. To go back, set
          the URL again under Settings → Account.
        </p>
      </DialogForm>
    </Dialog>
  );
}
