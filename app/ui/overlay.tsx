"use client";

import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import type { MouseEvent, ReactNode } from "react";

/** A layer over the page, which is dimmed and inaccessible in the meantime. Escape closes the layer. */
export function Overlay({
  label,
  onClose,
  isDismissable = true,
  backdrop = "",
  className,
  children,
}: {
  /** Its name, unless it has a heading. */
  label?: string;
  onClose: () => void;
  /** Whether a click beside it closes it. */
  isDismissable?: boolean;
  backdrop?: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <ModalOverlay
      className={`backdrop ${backdrop}`}
      isDismissable={isDismissable}
      isOpen
      onMouseDown={keepFocus}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={className}>
        <Dialog {...(label === undefined ? {} : { "aria-label": label })}>{children}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Keeps the focus in the dialog after a click beside it. Otherwise, Escape would briefly do nothing. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  // A list rendered outside of the dialog reports its clicks here as well.
  const isInside = target instanceof Element && currentTarget.contains(target);
  if (isInside && !target.closest("[role=dialog]")) {
    event.preventDefault();
  }
}
