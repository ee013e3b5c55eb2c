"use client";

import { X } from "lucide-react";
import { Heading } from "react-aria-components/Heading";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { returnFocus } from "./return-focus.ts";
import { CONFIRM_TITLE, useConfirmForm } from "./dialog-host.ts";
import type { Elements } from "./elements.ts";
import { Overlay } from "./overlay.tsx";

const WIDTHS = { sm: "max-w-sm", md: "max-w-md", lg: "max-w-lg" } as const;

/**
 * A dialog with a heading, content, and actions. Escape and the cross close it, and the focus returns to where it
 * was. A click beside it does not, because a slip would lose typed text. If an action needs a fresh sign-in, the
 * dialog asks for it in place of its content.
 */
export function Dialog({
  title,
  onClose,
  children,
  size = "md",
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  size?: keyof typeof WIDTHS;
}) {
  const confirmForm: Elements = useConfirmForm();
  const isConfirming = confirmForm !== null;
  useReturnOfFocus();
  const ref = useFocusKept(isConfirming);
  return (
    <Overlay className={`dialog m-auto ${WIDTHS[size]}`} isDismissable={false} onClose={onClose}>
      <header className="flex items-start justify-between gap-4 px-6 pt-5 pb-3">
        <Heading className="pt-1 text-base/6 font-medium wrap-anywhere" slot="title">
          {isConfirming ? CONFIRM_TITLE : title}
        </Heading>
        <Button
          aria-label="Close"
          className="-me-2"
          isIconOnly
          onPress={onClose}
          size="sm"
          variant="ghost"
        >
          <X aria-hidden />
        </Button>
      </header>
      <div className={isConfirming ? "hidden" : "contents"} ref={ref}>
        {children}
      </div>
      {confirmForm}
    </Overlay>
  );
}

/** A dialog's content. It scrolls if the window is not tall enough. */
export function DialogBody({
  children,
  className = "",
}: {
  children: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={`text-muted flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-6 py-1 text-sm ${className}`}
    >
      {children}
    </div>
  );
}

/** A dialog's buttons, the main one last. */
export function DialogFooter({ children }: { children: Elements }) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 px-6 pt-5 pb-6">
      {children}
    </footer>
  );
}

/** Remembers which element inside had the focus, and returns the focus to it once it is no longer hidden. */
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
