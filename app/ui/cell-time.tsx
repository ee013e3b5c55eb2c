import { Time } from "./time.tsx";

/** A moment in a table. Where a row takes two lines and there is no header, a word says which one it is. */
export function CellTime({ word, at }: { word: string; at: Date }) {
  return (
    <>
      <span className="text-muted in-two-lines">{word}</span> <Time at={at} />
    </>
  );
}
