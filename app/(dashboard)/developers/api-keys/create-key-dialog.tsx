"use client";

import { useState } from "react";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { CheckboxGroup } from "../../../ui/checkbox-group.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { MadeKey } from "./made-key.tsx";
import { KEY_SCOPE_PURPOSES } from "#lib/access/key-scopes.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";

type KeyScope = (typeof KEY_SCOPES)[number];

const LIVES = [
  { id: "never", name: "Never" },
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
] as const;

const SCOPES = KEY_SCOPES.map((id) => ({
  id,
  name: (
    <>
      <span className="block font-medium">{KEY_SCOPE_PURPOSES[id]}</span>
      <span className="hint block font-mono">{id}</span>
    </>
  ),
}));

interface NewKey extends Record<string, unknown> {
  name: string;
  scopes: readonly KeyScope[];
  life: (typeof LIVES)[number]["id"];
}

const NEW: NewKey = { name: "", scopes: ["cards:read"], life: "never" };

/** Creates a key and shows it once, with a call to try it. */
export function CreateKeyDialog({ baseUrl, onClose }: { baseUrl: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Create API key">
      <CreateForm baseUrl={baseUrl} onClose={onClose} />
    </Dialog>
  );
}

function CreateForm({ baseUrl, onClose }: { baseUrl: string; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null);
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.createApiKey,
    NEW,
    (answer) => setKey(answer.api_key),
  );
  useUnsavedChanges(key === null && form.isDirty);
  if (key !== null) {
    return <MadeKey baseUrl={baseUrl} onClose={onClose} text={key} />;
  }
  return (
    <DialogForm
      action="Create key"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: toBody(form.values) })}
    >
      <TextInput
        autoFocus
        description="Helps you recognize this key later."
        error={form.errors["name"]}
        isRequired
        label="Name"
        onChange={(name) => form.set("name", name)}
        value={form.values.name}
      />
      <CheckboxGroup
        error={form.errors["scopes"]}
        label="Permissions"
        onChange={(scopes) => form.set("scopes", scopes)}
        options={SCOPES}
        value={form.values.scopes}
      />
      <Choice
        label="Expires"
        onChange={(life) => form.set("life", life)}
        options={LIVES}
        value={form.values.life}
      />
    </DialogForm>
  );
}

function toBody({ name, scopes, life }: NewKey) {
  return {
    name,
    scopes: [...scopes],
    expires_in_days: life === "never" ? null : Number(life),
  };
}
