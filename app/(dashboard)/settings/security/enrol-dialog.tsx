"use client";

import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { EnrolForm } from "../../../client/enrol-form.tsx";

/** Sets up a second factor, in a dialog. */
export function EnrolDialog({
  secret,
  uri,
  onClose,
}: {
  secret: string;
  uri: string;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title="Set up two-factor authentication">
      <DialogBody className="pb-6">
        <EnrolForm onCancel={onClose} onDone={onClose} secret={secret} uri={uri} />
      </DialogBody>
    </Dialog>
  );
}
