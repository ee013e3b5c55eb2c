import { Download } from "lucide-react";
import { LinkButton } from "./link-button.tsx";

/** Downloads what a list shows, all pages of it. */
export function ExportCsv({ href }: { href: string }) {
  return (
    <LinkButton href={href} size="sm" variant="tertiary">
      <Download aria-hidden />
      Export CSV
    </LinkButton>
  );
}
