"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextInput } from "../../../ui/text-input.tsx";

interface Props {
  id: string;
  onClose: () => void;
}

/** Rejects a request, and says why. */
export function RejectDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="sm" title="Reject this request">
      <RejectForm {...props} />
    </Dialog>
  );
}

function RejectForm({ id, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.rejectApproval,
    { comment: "" },
    () => {
      onClose();
      notify("Rejected");
    },
  );
  return (
    <DialogForm
      action="Reject"
      error={error}
      isDanger
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ id, body: { comment: form.values.comment.trim() || null } })}
    >
      <TextInput
        error={form.errors["comment"]}
        label="Reason"
        onChange={(value) => form.set("comment", value)}
        value={form.values.comment}
      />
    </DialogForm>
  );
}
