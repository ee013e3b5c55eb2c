import { Time } from "./time.tsx";

/**
 * A moment in a table. On narrow screens, where a row takes two lines and has no header, a word says which moment it
 * is.
 */
export function CellTime({ word, at }: { word: string; at: Date }) {
  return (
    <>
      <span className="text-muted in-two-lines">{word}</span> <Time at={at} />
    </>
  );
}
