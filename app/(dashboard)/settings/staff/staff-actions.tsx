"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import { TriggerButton } from "../../../ui/trigger-button.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { canAssign, canResetPassword, ROLES } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";

const ACTS = [
  { id: "role", name: "Change role" },
  { id: "reset", name: "Create password reset link" },
  { id: "sessions", name: "Sign out everywhere" },
  { id: "remove", name: "Remove" },
] as const;

type Act = (typeof ACTS)[number]["id"];

interface Subject {
  id: string;
  name: string;
  personRole: Role;
  role: Role;
}

function toResetDisabledReason({ role, personRole }: Subject): string | null {
  return canResetPassword(role, personRole) ? null : "Only owners can do this for an admin.";
}

/** The actions on one member of staff. */
export function StaffActions({
  isSelf,
  disabledReason,
  ...subject
}: Subject & { isSelf: boolean; disabledReason: string | null }) {
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  if (disabledReason !== null) {
    return (
      <GuardedButton
        aria-label={`Actions for ${subject.name}`}
        disabledReason={disabledReason}
        isIconOnly
        size="sm"
        variant="ghost"
      >
        <Ellipsis aria-hidden />
      </GuardedButton>
    );
  }
  const possible = ACTS.filter(({ id }) => !(isSelf && id === "sessions"));
  return (
    <>
      <Menu
        button={
          <TriggerButton
            aria-label={`Actions for ${subject.name}`}
            isIconOnly
            size="sm"
            variant="ghost"
          >
            <Ellipsis aria-hidden />
          </TriggerButton>
        }
        label={subject.name}
        onAction={(key) => setAct(ACTS.find(({ id }) => id === key)?.id ?? null)}
        placement="bottom end"
      >
        {possible.map(({ id, name }) => {
          const reason = id === "reset" ? toResetDisabledReason(subject) : null;
          return (
            <MenuItem detail={reason} id={id} isDisabled={reason !== null} key={id} name={name} />
          );
        })}
      </Menu>
      <Dialog
        isOpen={act === "role"}
        onClose={close}
        size="sm"
        title={`Change role of ${subject.name}`}
      >
        <RoleForm onClose={close} subject={subject} />
      </Dialog>
      <Dialog isOpen={act === "reset"} onClose={close} title="Password reset link">
        <ResetForm onClose={close} subject={subject} />
      </Dialog>
      <Dialog isOpen={act === "sessions"} onClose={close} size="sm" title="Sign out everywhere">
        <SessionsForm onClose={close} subject={subject} />
      </Dialog>
      <Dialog isOpen={act === "remove"} onClose={close} size="sm" title={`Remove ${subject.name}`}>
        <RemoveForm onClose={close} subject={subject} />
      </Dialog>
    </>
  );
}

interface FormProps {
  subject: Subject;
  onClose: () => void;
}

function RoleForm({ subject, onClose }: FormProps) {
  const [role, setRole] = useState(subject.personRole);
  const change = useOperation(OPERATIONS.changeRole, () => {
    onClose();
    notify(`${subject.name} is now ${role} and was signed out`);
  });
  return (
    <DialogForm
      action="Change role"
      error={change.error}
      isPending={change.isPending}
      onCancel={onClose}
      onSubmit={() => change.mutate({ id: subject.id, body: { role } })}
    >
      <Choice
        label="Role"
        onChange={setRole}
        options={ROLES.filter((each) => canAssign(subject.role, each)).map((id) => ({
          id,
          name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
        }))}
        value={role}
      />
      <p className="text-muted">They're signed out and get the new role when they sign in again.</p>
    </DialogForm>
  );
}

function ResetForm({ subject, onClose }: FormProps) {
  const [link, setLink] = useState<string | null>(null);
  const make = useOperation(OPERATIONS.makePasswordReset, (answer) => setLink(answer.link));
  if (link !== null) {
    return (
      <ShownOnceStep
        label="Password reset link"
        note={`Send this link to ${subject.name}. It works once and expires in 24 hours.`}
        onClose={onClose}
        text={link}
      />
    );
  }
  return (
    <DialogForm
      action="Create link"
      error={make.error}
      isPending={make.isPending}
      onCancel={onClose}
      onSubmit={() => make.mutate({ id: subject.id })}
    >
      <p className="text-muted">{`With this link, ${subject.name} can choose a new password. The current password works until then.`}</p>
    </DialogForm>
  );
}

function SessionsForm({ subject, onClose }: FormProps) {
  const revoke = useOperation(OPERATIONS.revokeSessions, () => {
    onClose();
    notify(`${subject.name} was signed out everywhere`);
  });
  return (
    <DialogForm
      action="Sign out"
      error={revoke.error}
      isPending={revoke.isPending}
      onCancel={onClose}
      onSubmit={() => revoke.mutate({ id: subject.id })}
    >
      <p className="text-muted">{`Signs ${subject.name} out of every browser immediately.`}</p>
    </DialogForm>
  );
}

function RemoveForm({ subject, onClose }: FormProps) {
  const remove = useOperation(OPERATIONS.removeStaff, () => {
    onClose();
    notify(`${subject.name} was removed`);
  });
  return (
    <DialogForm
      action="Remove"
      error={remove.error}
      isDanger
      isPending={remove.isPending}
      onCancel={onClose}
      onSubmit={() => remove.mutate({ id: subject.id })}
    >
      <p className="text-muted">
        They're signed out immediately and can no longer sign in. Their activity stays in the audit
        log.
      </p>
    </DialogForm>
  );
}
