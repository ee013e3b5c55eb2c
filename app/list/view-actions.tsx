"use client";

import { Bookmark, Pencil } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import type { EditDialog as Edit, SaveDialog as Save, ShownView } from "./view-dialogs.tsx";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";

const SaveDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.SaveDialog));
const EditDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.EditDialog));
const ViewUpdate = fetched(() => import("./view-update.tsx").then((loaded) => loaded.ViewUpdate));

/** Saves the list's current query as a view. */
export function SaveView({
  name,
  ...about
}: { name: string } & Omit<ComponentProps<typeof Save>, "onClose">) {
  return (
    <DialogButton about={about} dialog={SaveDialog} size="sm" variant="ghost">
      <Bookmark aria-hidden />
      <span>{name}</span>
    </DialogButton>
  );
}

/** Renames, shares, or deletes the current view. */
export function EditView(props: Omit<ComponentProps<typeof Edit>, "onClose">) {
  const { changeDisabledReason, deleteDisabledReason } = props.view;
  return (
    <DialogButton
      about={props}
      dialog={EditDialog}
      disabledReason={deleteDisabledReason && changeDisabledReason}
      size="sm"
      variant="ghost"
    >
      <Pencil aria-hidden />
      Edit view
    </DialogButton>
  );
}

/** Updates the view to the list's current query. */
export function UpdateView({ view, query }: { view: ShownView; query: string }) {
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <GuardedButton
        disabledReason={view.changeDisabledReason}
        isPending={isSaving}
        onFocus={ViewUpdate.preload}
        onPointerEnter={ViewUpdate.preload}
        onPress={() => setSaving(true)}
        size="sm"
        variant="outline"
      >
        <Bookmark aria-hidden />
        Save changes
      </GuardedButton>
      {isSaving && <ViewUpdate id={view.id} onEnd={() => setSaving(false)} query={query} />}
    </>
  );
}
