"use client";

import { useState } from "react";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { MadeKey } from "./made-key.tsx";

const OVERLAPS = [
  { id: "0", name: "Now" },
  { id: "1", name: "In 1 day" },
  { id: "7", name: "In 7 days" },
  { id: "30", name: "In 30 days" },
] as const;

interface Rotation extends Record<string, unknown> {
  overlap: (typeof OVERLAPS)[number]["id"];
}

const NEW: Rotation = { overlap: "7" };

/** Replaces a key with a new one, and shows the new key once. */
export function RotateKeyDialog({
  id,
  name,
  baseUrl,
  isNextUnderRule,
  onClose,
}: {
  id: string;
  name: string;
  baseUrl: string;
  isNextUnderRule: boolean;
  onClose: () => void;
}) {
  const [key, setKey] = useState<string | null>(null);
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.rotateApiKey,
    NEW,
    (answer) => setKey(answer.api_key),
  );
  return (
    <Dialog onClose={onClose} size="sm" title={`Rotate ${name}`}>
      {key === null ? (
        <DialogForm
          action="Rotate key"
          error={error}
          isPending={isPending}
          onCancel={onClose}
          onSubmit={() => submit({ id, body: { overlap_days: Number(form.values.overlap) } })}
        >
          <p className="text-muted">
            A new key with the same name and permissions replaces this one. Switch over while both
            work.
          </p>
          {isNextUnderRule && (
            <p className="text-muted">
              Large moves with the new key wait for approval until somebody else exempts it.
            </p>
          )}
          <Choice
            label="The old key stops"
            onChange={(overlap) => form.set("overlap", overlap)}
            options={OVERLAPS}
            value={form.values.overlap}
          />
        </DialogForm>
      ) : (
        <MadeKey baseUrl={baseUrl} onClose={onClose} text={key} />
      )}
    </Dialog>
  );
}
