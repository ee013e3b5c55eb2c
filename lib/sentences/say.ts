/** A part of a sentence: words, or a link to a record. */
export type Part = string | { text: string; href: string };

export type Sentence = readonly Part[];

/** Builds a sentence: `` say`${who} froze ${card}` ``. */
export function say(words: TemplateStringsArray, ...parts: readonly (Part | Sentence)[]): Sentence {
  return words
    .flatMap((text, index) => [text, parts[index] ?? ""])
    .flat()
    .filter((part) => part !== "");
}

/** The sentence without its links. */
export function toPlainText(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : part.text)).join("");
}
