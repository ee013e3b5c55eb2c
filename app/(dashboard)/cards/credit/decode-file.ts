/** The text of a file, and whether its encoding was guessed. */
export interface Decoded {
  text: string;
  /** Whether the encoding is uncertain: a person must check the text. */
  isGuessed: boolean;
}

/**
 * Decodes a file strictly: by its byte order mark, or as UTF-8. Anything else, such as plain CSV from Excel on
 * Windows, is read as Windows-1252. Every file is valid in that encoding, so the text may not be what was meant.
 */
export function decodeFile(bytes: Uint8Array): Decoded {
  const marked = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  const text = decode(bytes, marked?.encoding ?? "utf-8");
  return text === null
    ? { text: new TextDecoder("windows-1252").decode(bytes), isGuessed: true }
    : { text, isGuessed: false };
}

const MARKS = [
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
];

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
