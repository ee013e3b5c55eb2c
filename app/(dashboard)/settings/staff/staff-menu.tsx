"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { TriggerButton } from "../../../ui/trigger-button.tsx";
import { STAFF_ACTS } from "./staff-acts.ts";
import type { StaffAct, Subject } from "./staff-acts.ts";
import { canResetPassword } from "#lib/access/roles.ts";

const StaffDialog = fetched(() =>
  import("./staff-dialog.tsx").then((loaded) => loaded.StaffDialog),
);

/** The menu of the actions on one member of staff, initially open, and the dialog of the chosen action. */
export function StaffMenu({
  subject,
  isSelf,
  isFirstFocused,
}: {
  subject: Subject;
  isSelf: boolean;
  isFirstFocused: boolean;
}) {
  const [act, setAct] = useState<StaffAct | null>(null);
  const possible = STAFF_ACTS.filter(({ id }) => !(isSelf && id === "sessions"));
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
        isFirstFocused={isFirstFocused}
        isOpenAtFirst
        label={subject.name}
        onAction={(key) => setAct(STAFF_ACTS.find(({ id }) => id === key)?.id ?? null)}
        placement="bottom end"
      >
        {possible.map(({ id, name }) => {
          const reason = id === "reset" ? toResetDisabledReason(subject) : null;
          return (
            <MenuItem detail={reason} id={id} isDisabled={reason !== null} key={id} name={name} />
          );
        })}
      </Menu>
      {act && <StaffDialog act={act} onClose={() => setAct(null)} subject={subject} />}
    </>
  );
}

function toResetDisabledReason({ role, personRole }: Subject): string | null {
  return canResetPassword(role, personRole) ? null : "Only owners can do this for an admin.";
}
