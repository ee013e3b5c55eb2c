"use client";

import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import type { ColumnsDialog as Dialog } from "./columns-dialog.tsx";
import { fetched } from "../client/fetched.tsx";
import { Button } from "../ui/button.tsx";

const ColumnsDialog = fetched(() =>
  import("./columns-dialog.tsx").then((loaded) => loaded.ColumnsDialog),
);

/** Opens the dialog with the columns and the density of a list. */
export function ColumnsButton(props: Omit<ComponentProps<typeof Dialog>, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {/* Where it is narrow, a row takes two lines, which have a place for each column. */}
      <Button className="max-md:hidden" onPress={() => setOpen(true)} size="sm" variant="outline">
        <SlidersHorizontal aria-hidden />
        <span className="max-xl:sr-only">Columns</span>
      </Button>
      {isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
