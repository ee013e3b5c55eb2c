"use client";

import type { ComponentProps } from "react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import type { ApprovalDialog as ApprovalDialogType } from "./approval-dialog.tsx";
import type { AutoFreezeDialog as AutoFreezeDialogType } from "./auto-freeze-dialog.tsx";
import type { IdleFreezeDialog as IdleFreezeDialogType } from "./idle-freeze-dialog.tsx";
import type { LookDialog as LookDialogType } from "./look-dialog.tsx";
import type { RegistrationDialog as RegistrationDialogType } from "./registration-dialog.tsx";
import type { SpendingDialog as SpendingDialogType } from "./spending-dialog.tsx";
import type { TimeZoneDialog as TimeZoneDialogType } from "./time-zone-dialog.tsx";

const ApprovalDialog = fetched(() =>
  import("./approval-dialog.tsx").then((loaded) => loaded.ApprovalDialog),
);
const AutoFreezeDialog = fetched(() =>
  import("./auto-freeze-dialog.tsx").then((loaded) => loaded.AutoFreezeDialog),
);
const IdleFreezeDialog = fetched(() =>
  import("./idle-freeze-dialog.tsx").then((loaded) => loaded.IdleFreezeDialog),
);
const LookDialog = fetched(() => import("./look-dialog.tsx").then((loaded) => loaded.LookDialog));
const RegistrationDialog = fetched(() =>
  import("./registration-dialog.tsx").then((loaded) => loaded.RegistrationDialog),
);
const SpendingDialog = fetched(() =>
  import("./spending-dialog.tsx").then((loaded) => loaded.SpendingDialog),
);
const TimeZoneDialog = fetched(() =>
  import("./time-zone-dialog.tsx").then((loaded) => loaded.TimeZoneDialog),
);

type Without<Props> = Omit<Props, "onClose"> & { disabledReason: string | null };

/** The section next to the button shows what it edits; the label tells screen readers. */
const EDIT = { children: "Edit", size: "sm", variant: "secondary" } as const;

/** Opens the dialog that changes the amount from which moves need a second person. */
export function EditApproval({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof ApprovalDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit second person"
      dialog={ApprovalDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes after how many declines cards freeze. */
export function EditAutoFreeze({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof AutoFreezeDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit automatic freeze"
      dialog={AutoFreezeDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes after how many days without use cards freeze. */
export function EditIdleFreeze({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof IdleFreezeDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit freeze of idle cards"
      dialog={IdleFreezeDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes how cards look. */
export function EditLook({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof LookDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit card design"
      dialog={LookDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes the company's registration. */
export function EditRegistration({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof RegistrationDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit registration"
      dialog={RegistrationDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes what cards may buy. */
export function EditSpending({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof SpendingDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit spending controls"
      dialog={SpendingDialog}
      disabledReason={disabledReason}
    />
  );
}

/** Opens the dialog that changes the time zone. */
export function EditTimeZone({
  disabledReason,
  ...about
}: Without<ComponentProps<typeof TimeZoneDialogType>>) {
  return (
    <DialogButton
      {...EDIT}
      about={about}
      aria-label="Edit time zone"
      dialog={TimeZoneDialog}
      disabledReason={disabledReason}
    />
  );
}
