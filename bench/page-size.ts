import { gzipSync } from "node:zlib";
import type { Asker } from "./fixture.ts";
import type { Served } from "./stage.ts";

/** Bytes of HTML per row of the list of cards: the difference between an account of 25 cards and one of 50. */
export async function measureRowBytes(
  served: Served,
  { few, many }: { few: Asker; many: Asker },
): Promise<number> {
  const [shorter, longer] = [await readPage(served, few), await readPage(served, many)];
  const more = many.cardIds.length - few.cardIds.length;
  return (Buffer.byteLength(longer) - Buffer.byteLength(shorter)) / more;
}

/**
 * The compressed size of the scripts that a page's HTML references, in kilobytes (1,000 bytes), less those for browsers
 * that know no modules: no others load them.
 */
export async function measureFirstLoadKb(
  served: Served,
  asker: Asker,
  path: string,
): Promise<number> {
  const html = await readPage(served, asker, path);
  const scripts = new Set(
    [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="(\/_next\/[^"]+\.js[^"]*)"[^>]*>/gu)]
      .filter(([tag]) => !/\bnomodule\b/iu.test(tag))
      .map(([, address = ""]) => address),
  );
  let bytes = 0;
  for (const address of scripts) {
    const answer = await fetch(`http://127.0.0.1:${served.port}${address}`);
    if (answer.status !== 200) {
      throw new Error(`${address} was answered with ${answer.status}.`);
    }
    bytes += gzipSync(await answer.bytes()).byteLength;
  }
  return bytes / 1_000;
}

async function readPage(served: Served, { cookies }: Asker, path = "/cards"): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, {
    headers: { cookie: cookies },
  });
  if (answer.status !== 200) {
    throw new Error(`${path} was answered with ${answer.status}.`);
  }
  return answer.text();
}
