"use client";

import { Modal } from "@heroui/react";
import { useEffect, useRef, useState } from "react";
import type { MouseEvent, ReactNode } from "react";
import { returnFocus } from "./return-focus.ts";
import { CONFIRM_TITLE, useConfirmForm } from "./dialog-host.ts";
import type { Elements } from "./elements.ts";

/**
 * A dialog with a heading, content, and actions. Escape and the cross close it, and the focus returns to where it was.
 * A click beside it does not: a slip would lose what has been typed. If an action needs a fresh sign-in, the dialog
 * asks for it in its own place.
 */
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
  const confirmForm: Elements = useConfirmForm();
  const isConfirming = confirmForm !== null;
  useReturnOfFocus();
  const ref = useFocusKept(isConfirming);
  return (
    <Modal.Backdrop
      isDismissable={false}
      isOpen={isOpen}
      onMouseDown={keepFocus}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal.Container placement="center" scroll="inside" size={size}>
        <Modal.Dialog>
          <Modal.CloseTrigger />
          {/* A long title ends before the cross. */}
          <Modal.Header className="mb-4 pe-6">
            <Modal.Heading>{isConfirming ? CONFIRM_TITLE : title}</Modal.Heading>
          </Modal.Header>
          <div className={isConfirming ? "hidden" : "contents"} ref={ref}>
            {children}
          </div>
          {confirmForm}
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

/** Keeps the focus in the dialog after a click beside it. Otherwise, Escape would do nothing for a moment. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  // A list that opens elsewhere reports its clicks here as well.
  const isInside = target instanceof Element && currentTarget.contains(target);
  if (isInside && !target.closest("[role=dialog]")) {
    event.preventDefault();
  }
}

/** Returns the focus to the element inside that had it, once that is no longer hidden. */
function useFocusKept(isHidden: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const [kept, setKept] = useState<Element | null>(null);
  const [wasHidden, setWasHidden] = useState(false);
  if (isHidden !== wasHidden) {
    setWasHidden(isHidden);
    if (isHidden) {
      setKept(document.activeElement);
    }
  }
  useEffect(() => {
    if (!isHidden && kept instanceof HTMLElement && ref.current?.contains(kept)) {
      kept.focus();
    }
  }, [isHidden, kept]);
  return ref;
}

/** Returns the focus to the element that had it before the dialog opened. */
function useReturnOfFocus(): void {
  const [opener] = useState(() =>
    typeof document === "undefined" ? null : document.activeElement,
  );
  useEffect(
    () => () => {
      returnFocus(opener);
    },
    [opener],
  );
}
