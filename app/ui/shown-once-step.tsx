import { Modal } from "@heroui/react";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import type { Elements } from "./elements.ts";
import { ShownOnce } from "./shown-once.tsx";

/** The last step of a dialog that makes a secret, which is shown only here. */
export function ShownOnceStep({
  onClose,
  children = null,
  ...secret
}: ComponentProps<typeof ShownOnce> & { onClose: () => void; children?: Elements }) {
  return (
    <>
      <Modal.Body className="flex flex-col gap-4">
        <ShownOnce {...secret} />
        {children}
      </Modal.Body>
      <Modal.Footer>
        <Button onPress={onClose}>Done</Button>
      </Modal.Footer>
    </>
  );
}
