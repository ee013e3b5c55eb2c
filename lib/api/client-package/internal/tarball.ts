import { gzipSync } from "node:zlib";

const BLOCK = 512;
/** npm's own fixed time of every file, in seconds. */
const MODIFIED_AT_S = 499_162_500;
/** Where a gzip header names the operating system; 255 is "unknown". */
const GZIP_SYSTEM_AT = 9;
const GZIP_SYSTEM_UNKNOWN = 255;

/**
 * A compressed tar archive (ustar) of these files, as `npm install` expects it. The same files in the same order make the
 * same bytes.
 */
export function toTarball(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).flatMap(([name, text]) =>
    toEntry(`package/${name}`, Buffer.from(text)),
  );
  const bytes = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  bytes[GZIP_SYSTEM_AT] = GZIP_SYSTEM_UNKNOWN;
  return bytes;
}

function toEntry(name: string, content: Buffer): Buffer[] {
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return [toHeader(name, content.length), content, padding];
}

function toHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(toOctal(0o644, 8), 100);
  header.write(toOctal(0, 8), 108);
  header.write(toOctal(0, 8), 116);
  header.write(toOctal(size, 12), 124);
  header.write(toOctal(MODIFIED_AT_S, 12), 136);
  // The checksum counts its own field as spaces.
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${toOctal(sum, 7)}\0 `, 148);
  return header;
}

function toOctal(value: number, length: number): string {
  return value.toString(8).padStart(length - 1, "0");
}
