"use client";

import { Archive, ArchiveRestore, Eraser, Pencil } from "lucide-react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
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
  const { id, first_name, last_name, archived } = cardholder;
  const about = { cardholder };
  return (
    <div className="flex flex-wrap gap-2">
      <CreateCard
        currency={currency}
        disabledReason={disabledReasons.createCard}
        holder={{ id, name: `${first_name} ${last_name}` }}
      />
      <DialogButton
        about={about}
        dialog={EditDialog}
        disabledReason={disabledReasons.edit}
        variant="secondary"
      >
        <Pencil aria-hidden />
        Edit
      </DialogButton>
      <DialogButton
        about={about}
        dialog={ArchiveDialog}
        disabledReason={archived ? disabledReasons.edit : disabledReasons.archive}
        variant="secondary"
      >
        {archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        <span>{archived ? "Unarchive" : "Archive"}</span>
      </DialogButton>
      <DialogButton
        about={about}
        dialog={EraseDialog}
        disabledReason={disabledReasons.erase}
        variant="secondary"
      >
        <Eraser aria-hidden />
        Erase cardholder
      </DialogButton>
    </div>
  );
}
