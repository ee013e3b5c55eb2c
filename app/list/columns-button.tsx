"use client";

import { SlidersHorizontal } from "lucide-react";
import type { ComponentProps } from "react";
import type { ColumnsDialog as Dialog } from "./columns-dialog.tsx";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";

const ColumnsDialog = fetched(() =>
  import("./columns-dialog.tsx").then((loaded) => loaded.ColumnsDialog),
);

/**
 * Opens the dialog with the columns and the density of a list. Hidden on a narrow screen, where a row takes two lines
 * that have a place for each column.
 */
export function ColumnsButton(props: Omit<ComponentProps<typeof Dialog>, "onClose">) {
  return (
    <DialogButton
      about={props}
      className="max-md:hidden"
      dialog={ColumnsDialog}
      size="sm"
      variant="outline"
    >
      <SlidersHorizontal aria-hidden />
      <span className="max-xl:sr-only">Columns</span>
    </DialogButton>
  );
}
