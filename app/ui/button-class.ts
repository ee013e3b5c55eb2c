/** How a button, or a link that looks like one, appears. */
export interface ButtonLook {
  variant?: "primary" | "secondary" | "outline" | "ghost" | "danger" | "danger-soft" | undefined;
  size?: "sm" | "md" | undefined;
  /** A square with only an icon; it then needs an `aria-label`. */
  isIconOnly?: boolean | undefined;
  className?: string | undefined;
}

/** The class name of a button (`app/ui/controls.css`). */
export function toButtonClass({
  variant = "primary",
  size = "md",
  isIconOnly = false,
  className = "",
}: ButtonLook): string {
  return [
    "button",
    `button-${variant}`,
    size === "sm" ? "button-sm" : "",
    isIconOnly ? "button-icon" : "",
    className,
  ]
    .filter(Boolean)
    .join(" ");
}
