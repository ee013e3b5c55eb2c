"use client";

import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import type { CardResource } from "./acts.ts";
import { toMetadataPatch } from "./metadata-patch.ts";
import type { Row } from "./metadata-patch.ts";
import { METADATA_KEYS_MAX, METADATA_KEY_LENGTH_MAX } from "#lib/cards/card-metadata.ts";

/** Edits a card's metadata. Sends only the keys that were changed here, to keep concurrent changes of other keys. */
export function MetadataDialog({ card, onClose }: { card: CardResource; onClose: () => void }) {
  const [before] = useState(card.metadata);
  const update = useOperation(OPERATIONS.updateCard, () => {
    onClose();
    notify("Metadata saved");
  });
  const form = useForm({ rows: toRows(before) }, update.error);
  const [fault, setFault] = useState<string | null>(null);
  const { rows } = form.values;
  const setRows = (next: readonly Row[]) => {
    setFault(null);
    form.set("rows", next);
  };
  const submit = () => {
    const { patch, fault: found } = toMetadataPatch(before, rows);
    setFault(found);
    if (found === null) {
      const body = { metadata: patch };
      void form.send(OPERATIONS.updateCard, body, () => update.mutate({ id: card.id, body }));
    }
  };
  const problems = [fault, ...Object.values(form.errors).flat()].filter((each) => each !== null);
  return (
    <Dialog onClose={onClose} title="Edit metadata">
      <DialogForm
        action="Save"
        error={update.error}
        isPending={update.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <ul className="flex flex-col gap-2">
          {rows.map((row, index) => (
            <li key={row.id}>
              <Entry
                number={index + 1}
                onChange={(changed) =>
                  setRows(rows.map((each) => (each.id === row.id ? changed : each)))
                }
                onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
                row={row}
              />
            </li>
          ))}
        </ul>
        <div>
          <Button
            isDisabled={rows.length >= METADATA_KEYS_MAX}
            onPress={() => setRows(withEmptyRow(rows))}
            size="sm"
            variant="secondary"
          >
            <Plus aria-hidden />
            Add entry
          </Button>
        </div>
        {problems.length > 0 && (
          <p className="text-declined" role="alert">
            {problems.join(" ")}
          </p>
        )}
      </DialogForm>
    </Dialog>
  );
}

function Entry({
  row,
  number,
  onChange,
  onRemove,
}: {
  row: Row;
  number: number;
  onChange: (row: Row) => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex items-end gap-2">
      <TextInput
        label={`Key ${number}`}
        maxLength={METADATA_KEY_LENGTH_MAX}
        onChange={(key) => onChange({ ...row, key })}
        value={row.key}
      />
      <TextInput
        label={`Value ${number}`}
        onChange={(value) => onChange({ ...row, value })}
        value={row.value}
      />
      <Button aria-label={`Remove entry ${number}`} isIconOnly onPress={onRemove} variant="ghost">
        <X aria-hidden />
      </Button>
    </div>
  );
}

/** The existing entries, or an empty row to start with. */
function toRows(metadata: Readonly<Record<string, string>>): readonly Row[] {
  const entries = Object.entries(metadata);
  return entries.length > 0
    ? entries.map(([key, value], id) => ({ id, key, value }))
    : withEmptyRow([]);
}

function withEmptyRow(rows: readonly Row[]): readonly Row[] {
  return [...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, key: "", value: "" }];
}
