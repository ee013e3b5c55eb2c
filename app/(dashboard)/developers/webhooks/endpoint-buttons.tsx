"use client";

import type { ComponentProps } from "react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import type { EditDialog as Edit } from "./endpoint-forms.tsx";

const AddDialog = fetched(() => import("./endpoint-forms.tsx").then((loaded) => loaded.AddDialog));
const EditDialog = fetched(() =>
  import("./endpoint-forms.tsx").then((loaded) => loaded.EditDialog),
);
const DeleteDialog = fetched(() =>
  import("./endpoint-forms.tsx").then((loaded) => loaded.DeleteDialog),
);

/** Adds an endpoint beside the account's. */
export function AddEndpoint({ disabledReason }: { disabledReason: string | null }) {
  return (
    <DialogButton
      about={{}}
      dialog={AddDialog}
      disabledReason={disabledReason}
      size="sm"
      variant="secondary"
    >
      Add endpoint
    </DialogButton>
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
  return (
    <>
      <DialogButton
        about={{ endpoint }}
        dialog={EditDialog}
        disabledReason={disabledReason}
        size="sm"
        variant="secondary"
      >
        Edit
      </DialogButton>
      <DialogButton
        about={{ id: endpoint.id }}
        dialog={DeleteDialog}
        disabledReason={disabledReason}
        size="sm"
        variant="danger-soft"
      >
        Delete
      </DialogButton>
    </>
  );
}
