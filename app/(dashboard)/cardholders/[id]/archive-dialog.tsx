"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import type { CardholderResource } from "./cardholder-resource.ts";

/** Archives or unarchives a cardholder. */
export function ArchiveDialog({
  cardholder,
  onClose,
}: {
  cardholder: CardholderResource;
  onClose: () => void;
}) {
  const { id, archived, first_name, last_name } = cardholder;
  const done = (notice: string) => () => {
    onClose();
    notify(notice);
  };
  const archive = useOperation(OPERATIONS.archiveUser, done("Cardholder archived"));
  const unarchive = useOperation(OPERATIONS.unarchiveUser, done("Cardholder unarchived"));
  const change = archived ? unarchive : archive;
  const verb = archived ? "Unarchive" : "Archive";
  return (
    <Dialog onClose={onClose} size="sm" title={`${verb} ${first_name} ${last_name}`}>
      <DialogForm
        action={verb}
        error={change.error}
        isPending={change.isPending}
        onCancel={onClose}
        onSubmit={() => change.mutate({ id })}
      >
        <p>
          {archived
            ? "You can create cards for this cardholder again."
            : "You can't create cards for an archived cardholder. Their closed cards, transactions, and email are kept, and you can unarchive them at any time."}
        </p>
      </DialogForm>
    </Dialog>
  );
}
