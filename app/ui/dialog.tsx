"use client";

import { Modal } from "@heroui/react";
import type { ReactNode } from "react";

/** A dialog with a heading, what it asks, and what can be done. Escape and the cross close it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  size = "md",
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: "sm" | "md" | "lg";
}) {
  return (
    <Modal.Backdrop isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Modal.Container placement="center" scroll="inside" size={size}>
        <Modal.Dialog>
          <Modal.CloseTrigger />
          <Modal.Header className="mb-4">
            <Modal.Heading>{title}</Modal.Heading>
          </Modal.Header>
          {children}
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}
