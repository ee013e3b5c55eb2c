import { Archive, Eraser } from "lucide-react";
import { isErased } from "#lib/cards/cardholder-state.ts";

/** What the label depends on. */
export interface Labeled {
  archived: boolean;
  erasedAt: Date | null;
  erasurePasses: number;
}

/** Marks archived and erased cardholders; renders nothing for others. */
export function CardholderLabel({ cardholder }: { cardholder: Labeled }) {
  const word = toWord(cardholder);
  if (!word) {
    return null;
  }
  const Icon = cardholder.erasedAt ? Eraser : Archive;
  return (
    <span className="border-border text-muted inline-flex shrink-0 items-center gap-1 rounded-full border px-2 py-0.5 text-xs font-medium">
      <Icon aria-hidden className="size-3.5" />
      <span>{word}</span>
    </span>
  );
}

function toWord(cardholder: Labeled): string | null {
  if (cardholder.erasedAt) {
    return isErased(cardholder) ? "Erased" : "Being erased";
  }
  return cardholder.archived ? "Archived" : null;
}
