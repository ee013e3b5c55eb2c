import { buttonVariants } from "@heroui/styles";
import { Link } from "./link.tsx";
import type { ReactNode } from "react";

/** A link that looks like the button it stands among. */
export function LinkButton({
  href,
  children,
  variant = "secondary",
  size = "md",
}: {
  href: string;
  children: ReactNode;
  variant?: "primary" | "secondary" | "tertiary" | "ghost" | "outline";
  size?: "sm" | "md";
}) {
  const className = buttonVariants({ variant, size });
  // Files and the API are no pages: the browser itself goes there.
  return href.startsWith("/api/") ? (
    <a className={className} href={href}>
      {children}
    </a>
  ) : (
    <Link className={className} href={href}>
      {children}
    </Link>
  );
}
