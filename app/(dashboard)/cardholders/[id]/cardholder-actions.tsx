"use client";

import { Archive, ArchiveRestore, Eraser, Pencil } from "lucide-react";
import { useState } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { CreateCard } from "../../../card/create-card.tsx";
import type { CardholderResource } from "./cardholder-resource.ts";

const EditDialog = fetched(() => import("./edit-dialog.tsx").then((loaded) => loaded.EditDialog));
const ArchiveDialog = fetched(() =>
  import("./archive-dialog.tsx").then((loaded) => loaded.ArchiveDialog),
);

const EraseDialog = fetched(() =>
  import("./erase-dialog.tsx").then((loaded) => loaded.EraseDialog),
);

/** The actions, each with its reason when it is disabled. */
export function CardholderActions({
  cardholder,
  currency,
  disabledReasons,
}: {
  cardholder: CardholderResource;
  currency: string;
  disabledReasons: Readonly<Record<"edit" | "archive" | "createCard" | "erase", string | null>>;
}) {
  const [open, setOpen] = useState<"edit" | "archive" | "erase" | null>(null);
  const { id, first_name, last_name, archived } = cardholder;
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      <CreateCard
        currency={currency}
        disabledReason={disabledReasons.createCard}
        holder={{ id, name: `${first_name} ${last_name}` }}
      />
      <GuardedButton
        disabledReason={disabledReasons.edit}
        onPress={() => setOpen("edit")}
        variant="secondary"
      >
        <Pencil aria-hidden />
        Edit
      </GuardedButton>
      <GuardedButton
        disabledReason={archived ? disabledReasons.edit : disabledReasons.archive}
        onPress={() => setOpen("archive")}
        variant="secondary"
      >
        {archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        <span>{archived ? "Unarchive" : "Archive"}</span>
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReasons.erase}
        onPress={() => setOpen("erase")}
        variant="secondary"
      >
        <Eraser aria-hidden />
        Erase cardholder
      </GuardedButton>
      {open === "edit" && <EditDialog cardholder={cardholder} onClose={close} />}
      {open === "archive" && <ArchiveDialog cardholder={cardholder} onClose={close} />}
      {open === "erase" && <EraseDialog cardholder={cardholder} onClose={close} />}
    </div>
  );
}
