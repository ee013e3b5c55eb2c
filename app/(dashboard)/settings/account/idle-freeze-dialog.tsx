"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { notify } from "../../../client/notice-store.ts";
import { usePaused } from "../../../client/use-paused.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Switch } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { FreezePreview, PAUSE_MS, toCardCount, toWholeNumber } from "./freeze-preview.tsx";
import { callApi } from "#lib/api/client.ts";

interface Props {
  /** Null while it is off. */
  idleFreezeDays: number | null;
  onClose: () => void;
}

/** Changes after how many days without use cards freeze automatically. */
export function IdleFreezeDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="sm" title="Freeze of idle cards">
      <IdleFreezeForm {...props} />
    </Dialog>
  );
}

/** The form's initial value while the setting is off. */
const SUGGESTED_DAYS = 180;

function IdleFreezeForm({ idleFreezeDays, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { isOn: idleFreezeDays !== null, days: String(idleFreezeDays ?? SUGGESTED_DAYS) },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  const { isOn, days } = form.values;
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: { idle_freeze_days: isOn ? toWholeNumber(days) : null } })}
    >
      <Switch isSelected={isOn} onChange={(next) => form.set("isOn", next)}>
        Freeze a card that is not used
      </Switch>
      {isOn && (
        <>
          <TextInput
            error={form.errors["idle_freeze_days"]}
            inputMode="numeric"
            label="Days without use"
            onChange={(value) => form.set("days", value)}
            value={days}
          />
          <p className="text-muted">
            An approved purchase, a credit, a debit, and an unfreeze are uses. Cardholders can lift
            the freeze themselves.
          </p>
          <Preview idle_freeze_days={days} />
        </>
      )}
    </DialogForm>
  );
}

/** What the setting would do, before it is saved. */
function Preview(query: { idle_freeze_days: string }) {
  const asked = usePaused(JSON.stringify(query), PAUSE_MS);
  const preview = useQuery({
    queryKey: ["idle-freeze-preview", query],
    queryFn: ({ signal }) => callApi(OPERATIONS.previewIdleFreezeSettings, { query }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const found = preview.isError ? undefined : preview.data?.data;
  const text = found ? `${toCardCount(found.cards)} would be frozen tomorrow.` : "";
  return <FreezePreview found={found} text={text} />;
}
