"use client";

import { useState } from "react";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { canAssign, ROLE_PURPOSES, ROLES } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";

const EMPTY: { email: string; role: Role } = { email: "", role: "operator" };

interface Props {
  role: Role;
  /** Whether invitations are mailed. */
  isMailed: boolean;
  onClose: () => void;
}

/** Asks whom to invite, and shows the link once. */
export function InviteDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} title="Invite a staff member">
      <InviteForm {...props} />
    </Dialog>
  );
}

function InviteForm({ role, isMailed, onClose }: Props) {
  const [link, setLink] = useState<string | null>(null);
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.inviteStaff,
    EMPTY,
    (answer) => setLink(answer.link),
  );
  useUnsavedChanges(link === null && form.isDirty);
  if (link !== null) {
    return (
      <ShownOnceStep
        label="Invitation link"
        note={`${isMailed ? `The invitation is on its way to ${form.values.email}. It has this link, which` : `Send this link to ${form.values.email}. It`} works once and expires in seven days.`}
        onClose={onClose}
        text={link}
      />
    );
  }
  return (
    <DialogForm
      action={isMailed ? "Send invitation" : "Create link"}
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: form.values })}
    >
      <TextInput
        autoFocus
        error={form.errors["email"] ?? form.errors["message"]}
        isRequired
        label="Email"
        onChange={(value) => form.set("email", value)}
        type="email"
        value={form.values.email}
      />
      <Choice
        error={form.errors["role"]}
        label="Role"
        onChange={(value) => form.set("role", value)}
        options={ROLES.filter((each) => canAssign(role, each)).map((id) => ({
          id,
          name: `${capitalize(id)}: ${ROLE_PURPOSES[id].toLowerCase()}`,
        }))}
        value={form.values.role}
      />
    </DialogForm>
  );
}
