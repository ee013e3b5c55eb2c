"use client";

import { Bookmark, Pencil } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import type { EditDialog as Edit, SaveDialog as Save, ShownView } from "./view-dialogs.tsx";
import { fetched } from "../client/fetched.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperation } from "../client/use-operation.ts";
import { Button } from "../ui/button.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";

const SaveDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.SaveDialog));
const EditDialog = fetched(() => import("./view-dialogs.tsx").then((loaded) => loaded.EditDialog));

/** Saves what a list shows as a view. */
export function SaveView({
  name,
  ...rest
}: { name: string } & Omit<ComponentProps<typeof Save>, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} size="sm" variant="ghost">
        <Bookmark aria-hidden />
        <span>{name}</span>
      </Button>
      {isOpen && <SaveDialog {...rest} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Renames, shares, or deletes the view that is shown. */
export function EditView(props: Omit<ComponentProps<typeof Edit>, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  const { changeDisabledReason, deleteDisabledReason } = props.view;
  return (
    <>
      <GuardedButton
        disabledReason={deleteDisabledReason && changeDisabledReason}
        onPress={() => setOpen(true)}
        size="sm"
        variant="ghost"
      >
        <Pencil aria-hidden />
        Edit view
      </GuardedButton>
      {isOpen && <EditDialog {...props} onClose={() => setOpen(false)} />}
    </>
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
