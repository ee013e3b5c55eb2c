import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FLAGS = /--(?:max-semi-space-size=\d+|enable-source-maps)/gu;

test.each(["Dockerfile", "docs/operations.md"])(
  "%s starts a server with the options of npm start",
  (file) => {
    const flags = read("bin/run.mjs").match(FLAGS);
    expect(flags).toHaveLength(2);
    expect(read(file).match(FLAGS)).toEqual(flags);
  },
);

function read(file: string): string {
  return readFileSync(path.join(import.meta.dirname, "..", file), "utf8");
}
