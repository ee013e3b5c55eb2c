import { Archive } from "lucide-react";

/** Marks archived cardholders; renders nothing for others. */
export function ArchivedLabel({ archived }: { archived: boolean }) {
  if (!archived) {
    return null;
  }
  return (
    <span className="border-border text-muted inline-flex shrink-0 items-center gap-1 rounded-full border px-2 py-0.5 text-xs font-medium">
      <Archive aria-hidden className="size-3.5" />
      Archived
    </span>
  );
}
