import { buildPages } from "../../../bin/build-pages.ts";

/** Every server of the suite finds its pages built: a build would take longer than one may take to become ready. */
export function setup(): void {
  buildPages((text) => void process.stdout.write(`${text}\n`));
}
