import { expect, test } from "vitest";
import { decodeFile } from "./decode-file.ts";

const TEXT = "card_id,narrative\n1,Prämie „März“ €5";

function toUtf16(isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(2 + 2 * TEXT.length);
  const view = new DataView(bytes.buffer);
  const marked = `\uFEFF${TEXT}`;
  for (let at = 0; at < marked.length; at += 1) {
    view.setUint16(2 * at, marked.charCodeAt(at), isLittle);
  }
  return bytes;
}

test.each([
  ["UTF-8", new TextEncoder().encode(TEXT)],
  ["UTF-8 with a byte order mark", new TextEncoder().encode(`\uFEFF${TEXT}`)],
  ["UTF-16, little endian", toUtf16(true)],
  ["UTF-16, big endian", toUtf16(false)],
])("%s is certain", (_, bytes) => {
  expect(decodeFile(bytes)).toEqual({ text: TEXT, isGuessed: false });
});

test("anything else is read as Windows-1252, and said to be guessed", () => {
  const bytes = Uint8Array.from([0x50, 0x72, 0xe4, 0x6d, 0x69, 0x65, 0x20, 0x80, 0x35]);
  expect(decodeFile(bytes)).toEqual({ text: "Prämie €5", isGuessed: true });
});
