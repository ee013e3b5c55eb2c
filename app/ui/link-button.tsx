import { toButtonClass } from "./button-class.ts";
import type { ButtonLook } from "./button-class.ts";
import { Link } from "./link.tsx";
import type { ReactNode } from "react";

/** A link that looks like a button. */
export function LinkButton({
  href,
  children,
  variant = "secondary",
  size,
  label,
}: Pick<ButtonLook, "variant" | "size"> & {
  href: string;
  /** The accessible name, if the text alone is too short for people who cannot see the context. */
  label?: string;
  children: ReactNode;
}) {
  const className = toButtonClass({ variant, size });
  // Files and the API are not pages, so the browser itself loads them.
  return href.startsWith("/api/") ? (
    <a aria-label={label} className={className} href={href}>
      {children}
    </a>
  ) : (
    <Link aria-label={label} className={className} href={href}>
      {children}
    </Link>
  );
}
