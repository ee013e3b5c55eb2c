/** One word of a POSIX shell, whatever the text contains. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
