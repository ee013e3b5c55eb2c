"use client";

import { useState } from "react";
import type { ComponentProps } from "react";
import { fetched } from "../../../client/fetched.tsx";
import type { Elements } from "../../../ui/elements.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { LookDialog as LookDialogType } from "./look-dialog.tsx";
import type { RegistrationDialog as RegistrationDialogType } from "./registration-dialog.tsx";
import type { TimeZoneDialog as TimeZoneDialogType } from "./time-zone-dialog.tsx";

const LookDialog = fetched(() => import("./look-dialog.tsx").then((loaded) => loaded.LookDialog));
const RegistrationDialog = fetched(() =>
  import("./registration-dialog.tsx").then((loaded) => loaded.RegistrationDialog),
);
const TimeZoneDialog = fetched(() =>
  import("./time-zone-dialog.tsx").then((loaded) => loaded.TimeZoneDialog),
);

type Without<Props> = Omit<Props, "onClose"> & { disabledReason: string | null };

/** Opens the dialog that changes how cards look. */
export function EditLook({
  disabledReason,
  ...look
}: Without<ComponentProps<typeof LookDialogType>>) {
  return (
    <Edit disabledReason={disabledReason} label="Edit card design">
      {(onClose) => <LookDialog {...look} onClose={onClose} />}
    </Edit>
  );
}

/** Opens the dialog that changes what the company registered with. */
export function EditRegistration({
  disabledReason,
  account,
}: Without<ComponentProps<typeof RegistrationDialogType>>) {
  return (
    <Edit disabledReason={disabledReason} label="Edit registration">
      {(onClose) => <RegistrationDialog account={account} onClose={onClose} />}
    </Edit>
  );
}

/** Opens the dialog that changes the time zone. */
export function EditTimeZone({
  disabledReason,
  timeZone,
}: Without<ComponentProps<typeof TimeZoneDialogType>>) {
  return (
    <Edit disabledReason={disabledReason} label="Edit time zone">
      {(onClose) => <TimeZoneDialog onClose={onClose} timeZone={timeZone} />}
    </Edit>
  );
}

function Edit({
  label,
  disabledReason,
  children,
}: {
  label: string;
  disabledReason: string | null;
  children: (onClose: () => void) => Elements;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton
        aria-label={label}
        disabledReason={disabledReason}
        onPress={() => setOpen(true)}
        size="sm"
        variant="secondary"
      >
        Edit
      </GuardedButton>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
