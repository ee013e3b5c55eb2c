"use client";

import { useRouter } from "next/navigation";
import { notify } from "../../client/notice-store.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { HolderForm } from "../../card/holder-form.tsx";

/** Adds a cardholder without a card, and opens their page. */
export function CreateCardholderDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  return (
    <Dialog onClose={onClose} title="Create cardholder">
      <HolderForm
        onCancel={onClose}
        onRegistered={({ id }) => {
          onClose();
          notify("Cardholder created");
          router.push(`/cardholders/${id}`);
        }}
      />
    </Dialog>
  );
}
