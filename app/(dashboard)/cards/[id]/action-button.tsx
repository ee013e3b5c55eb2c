"use client";

import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { Action } from "./actions.ts";
import type { Act } from "./acts.ts";

/** A button for one of the actions that are not the main one. */
export function ActionButton({
  action: { act, name, icon: Icon, isDanger, disabledReason },
  onAct,
}: {
  action: Action;
  onAct: (act: Act) => void;
}) {
  return (
    <GuardedButton
      disabledReason={disabledReason}
      onPress={() => onAct(act)}
      variant={isDanger ? "danger-soft" : "secondary"}
    >
      <Icon aria-hidden />
      <span>{name}</span>
    </GuardedButton>
  );
}
