import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const compress = promisify(gzip);

/** The fastest level: a higher one hardly makes JSON any smaller. */
const LEVEL = constants.Z_BEST_SPEED;

/** Compresses a text on another thread, so that other requests do not wait for it. */
export function toGzip(text: string): Promise<Buffer> {
  return compress(text, { level: LEVEL });
}

/** Whether an Accept-Encoding header allows gzip: `gzip;q=0` forbids it. */
export function acceptsGzip(header: string | null): boolean {
  return (header ?? "")
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .some((each) => /^(?:gzip|\*)(?:\s*;\s*q=(?:0\.0*[1-9]\d*|1(?:\.0*)?))?$/u.test(each));
}
