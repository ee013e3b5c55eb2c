import { toPrintable } from "#lib/base/printable.ts";

/** Longer names are cut: a name must not become the message. */
export const NAME_MAX = 80;

/** No name is longer than this in UTF-16 code units, however many marks its characters carry. */
const UNITS_MAX = 4 * NAME_MAX;

/** Characters that change the direction of the text around them, and those that nobody sees. */
const INVISIBLE = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\u0080-\u009f]/gu;

/** Ends the scheme of a URL, from which mail clients make a link. */
const SCHEME = /:\/\//gu;

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Makes a name harmless: it cannot end a header, reverse the text around it, become a link, or hide the rest of the
 * message by its length.
 */
export function toHarmlessText(text: string): string {
  const printable = toPrintable(text, text.length)
    .replaceAll(INVISIBLE, "")
    .replaceAll(SCHEME, ": ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const kept: string[] = [];
  let units = 0;
  for (const { segment } of SEGMENTER.segment(printable.slice(0, UNITS_MAX + 1))) {
    units += segment.length;
    if (kept.length === NAME_MAX || units > UNITS_MAX) {
      return `${kept.join("").trimEnd()}…`;
    }
    kept.push(segment);
  }
  return kept.join("");
}
