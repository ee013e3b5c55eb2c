import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { DialogBody, DialogFooter } from "./dialog.tsx";
import type { Elements } from "./elements.ts";
import { ShownOnce } from "./shown-once.tsx";

/** The last step of a dialog that creates a secret, which is shown only here. */
export function ShownOnceStep({
  onClose,
  children = null,
  ...secret
}: ComponentProps<typeof ShownOnce> & { onClose: () => void; children?: Elements }) {
  return (
    <>
      <DialogBody>
        <ShownOnce {...secret} />
        {children}
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Done</Button>
      </DialogFooter>
    </>
  );
}
