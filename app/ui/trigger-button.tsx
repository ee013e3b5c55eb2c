"use client";

import { Button } from "react-aria-components/Button";
import type { ButtonProps } from "react-aria-components/Button";
import type { RefAttributes } from "react";
import { toButtonClass } from "./button-class.ts";
import type { ButtonLook } from "./button-class.ts";

/** A button that opens a menu or a tooltip. Both need to know whether it was pressed by mouse, touch, or keyboard. */
export function TriggerButton({
  variant,
  size,
  isIconOnly,
  className,
  ...rest
}: Omit<ButtonProps, "className"> & ButtonLook & RefAttributes<HTMLButtonElement>) {
  return <Button {...rest} className={toButtonClass({ variant, size, isIconOnly, className })} />;
}
