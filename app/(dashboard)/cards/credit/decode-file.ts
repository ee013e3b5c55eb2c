/** The text of a file, and whether its encoding was guessed. */
export interface Decoded {
  text: string;
  /** Whether no encoding is certain: someone has to look at it. */
  isGuessed: boolean;
}

/**
 * Decodes a file strictly: by its byte order mark, or as UTF-8. What is neither, such as the plain CSV of Excel on Windows,
 * is read as Windows-1252, in which every file has a meaning, so it may be another one than was meant.
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
