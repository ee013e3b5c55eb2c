"use client";

import { Bookmark, Pencil } from "lucide-react";
import type { ComponentProps } from "react";
import type { EditDialog as Edit, SaveDialog as Save, ShownView } from "./view-dialogs.tsx";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperation } from "../client/use-operation.ts";
import { GuardedButton } from "../ui/guarded-button.tsx";

const SaveDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.SaveDialog));
const EditDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.EditDialog));

/** Saves what a list shows as a view. */
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

/** Renames, shares, or deletes the view that is shown. */
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

/** Keeps what the list shows now in its view. */
export function UpdateView({ view, query }: { view: ShownView; query: string }) {
  const update = useOperation(OPERATIONS.updateView, () => notify("View saved"));
  return (
    <GuardedButton
      disabledReason={view.changeDisabledReason}
      isPending={update.isPending}
      onPress={() =>
        update.mutate(
          { id: view.id, body: { query } },
          { onError: () => notify("Couldn't save the view. Try again.", "warning") },
        )
      }
      size="sm"
      variant="outline"
    >
      <Bookmark aria-hidden />
      Save changes
    </GuardedButton>
  );
}
