import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

/** The text of the file that lists the kinds of messages, from the files that declare them. */
export function listMessageKinds(): Record<string, string> {
  const found = globSync("lib/messages/{kinds,internal/kinds}/*.ts", { cwd: ROOT })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      const { name } = /^export const (?<name>\w+) = message\b/mu.exec(text)?.groups ?? {};
      return name ? [{ name, file }] : [];
    });
  return {
    "lib/messages/declared.ts": [
      "// Written by npm run generate.",
      ...found.map(({ name, file }) => `import { ${name} } from "#${file}";`),
      "",
      "/** Every kind of message. */",
      "export const MESSAGE_KINDS = [",
      ...found.map(({ name }) => `  ${name},`),
      "];",
      "",
    ].join("\n"),
  };
}
