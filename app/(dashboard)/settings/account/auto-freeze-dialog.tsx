"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { notify } from "../../../client/notice-store.ts";
import { usePaused } from "../../../client/use-paused.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Switch } from "../../../ui/checkbox.tsx";
import { CheckboxGroup } from "../../../ui/checkbox-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { FreezePreview, PAUSE_MS, toCardCount, toWholeNumber } from "./freeze-preview.tsx";
import { callApi } from "#lib/api/client.ts";
import { COUNTED_REASONS, DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";

export interface AutoFreeze {
  declines: number;
  within_minutes: number;
  reasons: readonly DeclineReason[] | null;
}

interface Props {
  /** Null while it is off. */
  autoFreeze: AutoFreeze | null;
  onClose: () => void;
}

/** Changes after how many declines cards freeze automatically. */
export function AutoFreezeDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} title="Automatic freeze">
      <AutoFreezeForm {...props} />
    </Dialog>
  );
}

const REASON_OPTIONS = COUNTED_REASONS.map((id) => ({ id, name: DECLINE_REASON_NAMES[id] }));

/** The form's initial values while the setting is off. */
const SUGGESTED: AutoFreeze = { declines: 5, within_minutes: 60, reasons: null };

function AutoFreezeForm({ autoFreeze, onClose }: Props) {
  const { declines, within_minutes, reasons } = autoFreeze ?? SUGGESTED;
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    {
      isOn: autoFreeze !== null,
      declines: String(declines),
      within_minutes: String(within_minutes),
      reasons: reasons ?? COUNTED_REASONS,
    },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  const { values, errors, set } = form;
  const wanted = values.isOn ? toAutoFreeze(values) : null;
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: { auto_freeze: wanted } })}
    >
      <Switch isSelected={values.isOn} onChange={(isOn) => set("isOn", isOn)}>
        Freeze a card after repeated declines
      </Switch>
      {wanted && (
        <>
          <div className="grid grid-cols-2 gap-4">
            <TextInput
              error={errors["auto_freeze.declines"]}
              inputMode="numeric"
              label="Declines"
              onChange={(value) => set("declines", value)}
              value={values.declines}
            />
            <TextInput
              error={errors["auto_freeze.within_minutes"]}
              inputMode="numeric"
              label="Within minutes"
              onChange={(value) => set("within_minutes", value)}
              value={values.within_minutes}
            />
          </div>
          <CheckboxGroup
            error={errors["auto_freeze.reasons"]}
            label="Decline reasons that count"
            onChange={(chosen) => set("reasons", chosen)}
            options={REASON_OPTIONS}
            value={values.reasons}
          />
          <p className="text-muted">
            The decline that completes the count freezes the card at the staff level. Declines of a
            frozen card and forced declines do not count. Lifting the freeze starts the count anew.
          </p>
          <Preview {...wanted} />
        </>
      )}
    </DialogForm>
  );
}

function toAutoFreeze({
  declines,
  within_minutes: minutes,
  reasons,
}: {
  declines: string;
  within_minutes: string;
  reasons: readonly DeclineReason[];
}): AutoFreeze & { reasons: DeclineReason[] | null } {
  return {
    declines: toWholeNumber(declines),
    within_minutes: toWholeNumber(minutes),
    reasons: reasons.length === COUNTED_REASONS.length ? null : [...reasons],
  };
}

/** What the rule would have done, before it is saved. */
function Preview({ declines, within_minutes: minutes, reasons }: AutoFreeze) {
  const query = {
    declines: String(declines),
    within_minutes: String(minutes),
    ...(reasons ? { reasons: reasons.join(",") } : {}),
  };
  const asked = usePaused(JSON.stringify(query), PAUSE_MS);
  const preview = useQuery({
    queryKey: ["auto-freeze-preview", query],
    queryFn: ({ signal }) => callApi(OPERATIONS.previewAutoFreezeSettings, { query }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const found = preview.isError ? undefined : preview.data?.data;
  return <FreezePreview found={found} text={found ? toPreviewText(found) : ""} />;
}

function toPreviewText({ days, cards }: { days: number; cards: number }): string {
  return `In the last ${days} days, this would have frozen ${toCardCount(cards).toLowerCase()}.`;
}
