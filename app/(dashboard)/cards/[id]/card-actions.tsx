"use client";

import { Ellipsis } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { fetched } from "../../../client/fetched.tsx";
import { Button } from "../../../ui/button.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ActionButton } from "./action-button.tsx";
import { toOtherActions, toStatusAction } from "./actions.ts";
import type { Action, ActionsInput } from "./actions.ts";
import type { Act } from "./acts.ts";
import { findProtective } from "#lib/cards/protective-freeze.ts";

const ActionsSheet = fetched(() =>
  import("./actions-sheet.tsx").then((loaded) => loaded.ActionsSheet),
);

/** The actions: on a phone, all but the main one are in a sheet. */
export function CardActions({ onAct, ...input }: ActionsInput & { onAct: (act: Act) => void }) {
  const { icon: Icon, ...main } = toStatusAction(input);
  const others = toOtherActions(input);
  // Neither a quick click nor the shortcut of the page's main action may lift a protective freeze.
  const isProtected = findProtective(input.card.freezes) !== undefined;
  return (
    <div className="flex flex-wrap gap-2">
      {/* A single button of constant width, so that the focus and the neighbors stay in place when the card changes. */}
      <GuardedButton
        className="min-w-28"
        data-main-action={isProtected ? undefined : true}
        disabledReason={main.disabledReason}
        onPress={() => onAct(main.act)}
        variant={isProtected ? "secondary" : "primary"}
      >
        <Icon aria-hidden />
        <span>{main.name}</span>
      </GuardedButton>
      {/* If one row has too little room, related actions stay together; icons disappear first. */}
      {others.map((group) => (
        <div
          className="flex flex-wrap gap-2 max-sm:hidden @max-[75rem]:[&_svg]:hidden"
          key={group[0]?.act}
        >
          {group.map((action) => (
            <ActionButton action={action} key={action.act} onAct={onAct} />
          ))}
        </div>
      ))}
      <MoreActions actions={others.flat()} onAct={onAct} />
    </div>
  );
}

/** The button of a phone that opens the sheet. */
function MoreActions({
  actions,
  onAct,
}: {
  actions: readonly Action[];
  onAct: (act: Act) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const choose = (act: Act) => {
    // Close the sheet first: a dialog returns the focus to the element that had it, which must then still exist.
    flushSync(() => setOpen(false));
    place.current?.querySelector("button")?.focus();
    onAct(act);
  };
  return (
    <div className="sm:hidden" ref={place}>
      <Button onPress={() => setOpen(true)} variant="secondary">
        <Ellipsis aria-hidden />
        More actions
      </Button>
      {isOpen && <ActionsSheet actions={actions} onAct={choose} onClose={() => setOpen(false)} />}
    </div>
  );
}
