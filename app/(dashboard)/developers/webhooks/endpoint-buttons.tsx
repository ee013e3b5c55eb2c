"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ComponentProps } from "react";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { EditDialog as Edit } from "./endpoint-forms.tsx";

const AddDialog = dynamic(() => import("./endpoint-forms.tsx").then((loaded) => loaded.AddDialog));
const EditDialog = dynamic(() =>
  import("./endpoint-forms.tsx").then((loaded) => loaded.EditDialog),
);
const DeleteDialog = dynamic(() =>
  import("./endpoint-forms.tsx").then((loaded) => loaded.DeleteDialog),
);

/** Adds an endpoint beside the account's. */
export function AddEndpoint({ disabledReason }: { disabledReason: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setOpen(true)}
        size="sm"
        variant="secondary"
      >
        Add endpoint
      </GuardedButton>
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Changes or deletes an endpoint. */
export function ChangeEndpoint({
  endpoint,
  disabledReason,
}: {
  endpoint: ComponentProps<typeof Edit>["endpoint"];
  disabledReason: string | null;
}) {
  const [act, setAct] = useState<"edit" | "delete" | null>(null);
  const close = () => setAct(null);
  return (
    <>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setAct("edit")}
        size="sm"
        variant="secondary"
      >
        Edit
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setAct("delete")}
        size="sm"
        variant="danger-soft"
      >
        Delete
      </GuardedButton>
      {act === "edit" && <EditDialog endpoint={endpoint} onClose={close} />}
      {act === "delete" && <DeleteDialog id={endpoint.id} onClose={close} />}
    </>
  );
}
