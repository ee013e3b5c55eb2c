/** A line of a generated object. */
export function toEntry(name: string, text: string): string {
  return `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`;
}
