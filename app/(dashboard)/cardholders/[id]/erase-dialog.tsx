"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import type { CardholderResource } from "./cardholder-resource.ts";

/** Erases a cardholder's personal data for good. */
export function EraseDialog({
  cardholder,
  onClose,
}: {
  cardholder: CardholderResource;
  onClose: () => void;
}) {
  const { id, first_name, last_name } = cardholder;
  const erase = useOperation(OPERATIONS.eraseUser, () => {
    onClose();
    notify("Cardholder erased");
  });
  return (
    <Dialog onClose={onClose} size="sm" title={`Erase ${first_name} ${last_name}`}>
      <DialogForm
        action="Erase cardholder"
        error={erase.error}
        isDanger
        isPending={erase.isPending}
        onCancel={onClose}
        onSubmit={() => erase.mutate({ id })}
      >
        <p>This can&apos;t be undone.</p>
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            Their name, contact details, identity, and the metadata, notes, comments, and narratives
            of their cards are removed everywhere, within minutes.
          </li>
          <li>
            Amounts, merchants, and times stay, with all IDs, under &ldquo;Erased cardholder&rdquo;.
          </li>
          <li>Webhooks and exports that you already have are yours to erase.</li>
        </ul>
      </DialogForm>
    </Dialog>
  );
}
