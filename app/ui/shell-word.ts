/** Quotes any text as one word of a POSIX shell. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
