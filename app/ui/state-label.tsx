import type { Elements } from "./elements.ts";

/** A state as an icon, a word, and a color. */
export function StateLabel({
  icon,
  word,
  look,
}: {
  icon: Elements;
  word: string;
  /** The classes of its color. */
  look: string;
}) {
  return (
    <span
      className={`border-border inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      {icon}
      <span>{word}</span>
    </span>
  );
}
