"use client";

import { Checkbox, CheckboxGroup, Description, FieldError, Label } from "@heroui/react";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "../../../client/use-form.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { KEY_SCOPE_PURPOSES } from "#lib/access/key-scopes.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";

type KeyScope = (typeof KEY_SCOPES)[number];

const LIVES = [
  { id: "never", name: "Never" },
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
] as const;

/** Creates a key and shows it once, with a call to try it. */
export function CreateKey({
  baseUrl,
  disabledReason,
}: {
  baseUrl: string;
  disabledReason: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton disabledReason={disabledReason} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Create key
      </GuardedButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Create API key">
        <CreateForm baseUrl={baseUrl} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function CreateForm({ baseUrl, onClose }: { baseUrl: string; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null);
  const create = useOperation(OPERATIONS.createApiKey, (answer) => setKey(answer.api_key));
  const form = useForm<{
    name: string;
    scopes: readonly KeyScope[];
    life: (typeof LIVES)[number]["id"];
  }>({ name: "", scopes: ["cards:read"], life: "never" }, create.error);
  useUnsavedChanges(key === null && form.isDirty);
  if (key !== null) {
    return <Made baseUrl={baseUrl} onClose={onClose} text={key} />;
  }
  const submit = () => {
    const { name, scopes, life } = form.values;
    const body = {
      name,
      scopes: [...scopes],
      expires_in_days: life === "never" ? null : Number(life),
    };
    void form.send(OPERATIONS.createApiKey, body, () => create.mutate({ body }));
  };
  return (
    <DialogForm
      action="Create key"
      error={create.error}
      isPending={create.isPending}
      onCancel={onClose}
      onSubmit={submit}
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
      <ScopeChoice
        error={form.errors["scopes"]}
        onChange={(scopes) => form.set("scopes", scopes)}
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

function ScopeChoice({
  value,
  onChange,
  error,
}: {
  value: readonly KeyScope[];
  onChange: (scopes: readonly KeyScope[]) => void;
  error: string | readonly string[] | undefined;
}) {
  return (
    <CheckboxGroup
      isInvalid={error !== undefined}
      onChange={(names) => onChange(KEY_SCOPES.filter((scope) => names.includes(scope)))}
      value={[...value]}
    >
      <Label>Permissions</Label>
      <div className="flex flex-col gap-3">
        {KEY_SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope}>
            <Checkbox.Content>
              <Checkbox.Control>
                <Checkbox.Indicator />
              </Checkbox.Control>
              <Label>{KEY_SCOPE_PURPOSES[scope]}</Label>
            </Checkbox.Content>
            <Description className="font-mono">{scope}</Description>
          </Checkbox>
        ))}
      </div>
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
    </CheckboxGroup>
  );
}

function Made({ baseUrl, text, onClose }: { baseUrl: string; text: string; onClose: () => void }) {
  return (
    <ShownOnceStep label="API key" note="Your key is ready to use." onClose={onClose} text={text}>
      <pre className="border-border bg-surface-secondary rounded-lg border p-3 font-mono text-xs/5 break-all whitespace-pre-wrap">
        {`curl ${baseUrl}/cards -H 'Authorization: Bearer ${text}'`}
      </pre>
    </ShownOnceStep>
  );
}
