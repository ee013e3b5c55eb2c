"use client";

import { Tooltip, TooltipTrigger } from "react-aria-components/Tooltip";
import { Children, isValidElement, useEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import type { ButtonProps } from "./button.tsx";
import { TriggerButton } from "./trigger-button.tsx";

/**
 * A disabled button that says why: on hover, on focus, and on tap. It stays focusable, so that the reason reaches
 * people without a mouse, and the reason is part of its name.
 */
export function DisabledButton({
  disabledReason,
  children,
  className = "",
  variant,
  size,
  isIconOnly,
  "aria-label": label,
}: ButtonProps & { disabledReason: string }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useCloseOutside(isOpen, button, () => setOpen(false));
  return (
    <TooltipTrigger delay={0} isOpen={isOpen} onOpenChange={setOpen} shouldCloseOnPress={false}>
      <TriggerButton
        aria-disabled="true"
        aria-label={toLabel(label ?? children, disabledReason)}
        className={`pointer-events-auto ${className}`}
        isIconOnly={isIconOnly}
        onPress={() => setOpen(true)}
        ref={button}
        size={size}
        type="button"
        variant={variant}
      >
        {children}
      </TriggerButton>
      {/* Rendered only while open: a closed one could reappear at the edge of the page (adobe/react-spectrum#10496). */}
      {isOpen && (
        <Tooltip className="tooltip" offset={6}>
          {disabledReason}
        </Tooltip>
      )}
    </TooltipTrigger>
  );
}

/** Needed because tapping elsewhere does not move the focus on every system. */
function useCloseOutside(
  isOpen: boolean,
  inside: RefObject<HTMLElement | null>,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const listen = ({ target }: PointerEvent) => {
      if (target instanceof Node && !inside.current?.contains(target)) {
        close();
      }
    };
    document.addEventListener("pointerdown", listen);
    return () => document.removeEventListener("pointerdown", listen);
  });
}

/** The button's own words, followed by the reason. */
function toLabel(children: ReactNode, disabledReason: string): string {
  return [...toWords(children), disabledReason].join(": ");
}

/** The words in the children, whether or not they are inside elements of their own. */
function toWords(children: ReactNode): string[] {
  return Children.toArray(children).flatMap((child) => {
    if (isValidElement<{ children?: ReactNode }>(child)) {
      return toWords(child.props.children);
    }
    return typeof child === "string" ? [child] : [];
  });
}
