"use client";

import { notify } from "./notice-store.ts";
import { OPERATIONS } from "./operations.ts";
import { useUnsavedChanges } from "./unsaved-changes.ts";
import { useForm } from "./use-form.ts";
import { useOperation } from "./use-operation.ts";

/**
 * A dialog's form for settings of the account. It asks before unsaved changes are lost, and closes the dialog once they
 * are saved.
 */
export function useSettingsForm<Values extends Record<string, string>>(
  initial: Values,
  onClose: () => void,
) {
  const update = useOperation(OPERATIONS.updateSettings, () => {
    onClose();
    notify("Changes saved");
  });
  const form = useForm(initial, update.error);
  useUnsavedChanges(form.isDirty);
  const save = (body: Parameters<typeof update.mutate>[0]["body"]) =>
    void form.send(OPERATIONS.updateSettings, body, () => update.mutate({ body }));
  return { form, save, error: update.error, isPending: update.isPending };
}
