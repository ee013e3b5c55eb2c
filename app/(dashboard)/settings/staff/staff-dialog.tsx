"use client";

import { useState } from "react";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";
import type { StaffAct, Subject } from "./staff-acts.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { canAssign, ROLES } from "#lib/access/roles.ts";

interface ActProps {
  subject: Subject;
  onClose: () => void;
}

/** Performs one act on a member of staff, after a confirmation. */
export function StaffDialog({ act, ...props }: ActProps & { act: StaffAct }) {
  const ActDialog = DIALOGS[act];
  return <ActDialog {...props} />;
}

function RoleDialog({ subject, onClose }: ActProps) {
  const [role, setRole] = useState(subject.personRole);
  const change = useOperation(OPERATIONS.changeRole, () => {
    onClose();
    notify(`${subject.name} is now ${role} and was signed out`);
  });
  return (
    <Dialog onClose={onClose} size="sm" title={`Change role of ${subject.name}`}>
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
            name: capitalize(id),
          }))}
          value={role}
        />
        <p className="text-muted">
          They're signed out and get the new role when they sign in again.
        </p>
      </DialogForm>
    </Dialog>
  );
}

function ResetDialog({ subject, onClose }: ActProps) {
  const [link, setLink] = useState<string | null>(null);
  const make = useOperation(OPERATIONS.makePasswordReset, (answer) => setLink(answer.link));
  return (
    <Dialog onClose={onClose} title="Password reset link">
      {link === null ? (
        <DialogForm
          action={subject.isMailed ? "Send link" : "Create link"}
          error={make.error}
          isPending={make.isPending}
          onCancel={onClose}
          onSubmit={() => make.mutate({ id: subject.id })}
        >
          <p className="text-muted">{`With this link, ${subject.name} can choose a new password. The current password works until then.`}</p>
        </DialogForm>
      ) : (
        <ShownOnceStep
          label="Password reset link"
          note={`${subject.isMailed ? `A message is on its way to ${subject.name}. It has this link, which` : `Send this link to ${subject.name}. It`} works once and expires in 24 hours.`}
          onClose={onClose}
          text={link}
        />
      )}
    </Dialog>
  );
}

function SessionsDialog({ subject, onClose }: ActProps) {
  const revoke = useOperation(OPERATIONS.revokeSessions, () => {
    onClose();
    notify(`${subject.name} was signed out everywhere`);
  });
  return (
    <Dialog onClose={onClose} size="sm" title="Sign out everywhere">
      <DialogForm
        action="Sign out"
        error={revoke.error}
        isPending={revoke.isPending}
        onCancel={onClose}
        onSubmit={() => revoke.mutate({ id: subject.id })}
      >
        <p className="text-muted">{`Signs ${subject.name} out of every browser immediately.`}</p>
      </DialogForm>
    </Dialog>
  );
}

function RemoveDialog({ subject, onClose }: ActProps) {
  const [revokesKeys, setRevokesKeys] = useState(true);
  const remove = useOperation(OPERATIONS.removeStaff, () => {
    onClose();
    notify(`${subject.name} was removed`);
  });
  return (
    <Dialog onClose={onClose} size="sm" title={`Remove ${subject.name}`}>
      <DialogForm
        action="Remove"
        error={remove.error}
        isDanger
        isPending={remove.isPending}
        onCancel={onClose}
        onSubmit={() =>
          remove.mutate({ id: subject.id, query: { revoke_api_keys: `${revokesKeys}` } })
        }
      >
        <p className="text-muted">
          They're signed out immediately and can no longer sign in. Their activity stays in the
          audit log.
        </p>
        {subject.keyNames.length > 0 && (
          <>
            <p>{`They created API keys that work: ${KEY_LIST.format(subject.keyNames)}.`}</p>
            <Checkbox isSelected={revokesKeys} onChange={setRevokesKeys}>
              Revoke these keys too
            </Checkbox>
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}

const KEY_LIST = new Intl.ListFormat("en-US");

const DIALOGS = {
  role: RoleDialog,
  reset: ResetDialog,
  sessions: SessionsDialog,
  remove: RemoveDialog,
} as const satisfies Record<StaffAct, unknown>;
