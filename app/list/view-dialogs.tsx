"use client";

import { useRouter } from "next/navigation";
import { DialogForm } from "../client/dialog-form.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import type { useForm } from "../client/use-form.ts";
import { useOperation } from "../client/use-operation.ts";
import { useOperationForm } from "../client/use-operation-form.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { TextInput } from "../ui/text-input.tsx";
import type { ViewList } from "#lib/views/view-lists.ts";

/** A saved view, and what this person may do with it. */
export interface ShownView {
  id: string;
  name: string;
  shared: boolean;
  changeDisabledReason: string | null;
  deleteDisabledReason: string | null;
  unshareDisabledReason: string | null;
}

interface OfList {
  /** The list as it is shown, but without a view. Only a list with a query can be saved. */
  href: string;
  shareDisabledReason: string | null;
  onClose: () => void;
}

/** Saves the list's current query under a name. */
export function SaveDialog({
  list,
  query,
  href,
  shareDisabledReason,
  onClose,
}: OfList & { list: ViewList; query: string }) {
  const router = useRouter();
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.createView,
    { name: "", shared: false },
    ({ data }) => {
      onClose();
      notify("View saved");
      router.push(`${href}&view=${data.id}`);
    },
  );
  const body = { list, query, ...form.values };
  return (
    <Dialog onClose={onClose} size="sm" title="Save view">
      <DialogForm
        action="Save view"
        error={error}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={() => submit({ body })}
      >
        <p className="text-muted">Keeps the filters, columns, and order that you see now.</p>
        <ViewFields form={form} sharedDisabledReason={shareDisabledReason} />
      </DialogForm>
    </Dialog>
  );
}

/** Renames, shares, or deletes a view. */
export function EditDialog({
  view,
  href,
  shareDisabledReason,
  onClose,
}: OfList & { view: ShownView }) {
  const router = useRouter();
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateView,
    { name: view.name, shared: view.shared },
    () => {
      onClose();
      notify("View saved");
    },
  );
  const remove = useOperation(OPERATIONS.deleteView, () => {
    onClose();
    notify("View deleted");
    router.push(href);
  });
  return (
    <Dialog onClose={onClose} size="sm" title="Edit view">
      <DialogForm
        action="Save"
        disabledReason={view.changeDisabledReason}
        error={error ?? remove.error}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={() => submit({ id: view.id, body: form.values })}
      >
        <ViewFields
          form={form}
          sharedDisabledReason={view.shared ? view.unshareDisabledReason : shareDisabledReason}
        />
        <GuardedButton
          className="self-start"
          disabledReason={view.deleteDisabledReason}
          isPending={remove.isPending}
          onPress={() => remove.mutate({ id: view.id })}
          size="sm"
          variant="danger-soft"
        >
          Delete view
        </GuardedButton>
      </DialogForm>
    </Dialog>
  );
}

function ViewFields({
  form,
  sharedDisabledReason,
}: {
  form: ReturnType<typeof useForm<{ name: string; shared: boolean }>>;
  sharedDisabledReason: string | null;
}) {
  return (
    <>
      <TextInput
        autoFocus
        error={form.errors["name"]}
        label="Name"
        onChange={(name) => form.set("name", name)}
        value={form.values.name}
      />
      <Checkbox
        isDisabled={sharedDisabledReason !== null}
        isSelected={form.values.shared}
        onChange={(shared) => form.set("shared", shared)}
      >
        Share with everyone in this account
      </Checkbox>
      {sharedDisabledReason !== null && (
        <p className="text-muted text-xs">{sharedDisabledReason}</p>
      )}
    </>
  );
}
