import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../floatdeck-cli.ts";
import type { NamedFinding } from "./finding.ts";

const GUIDE = path.join(import.meta.dirname, "../../docs/operations.md");

test("the guide says of each check what it looks at", async () => {
  const { out } = await runCommand(["doctor", "--json"], { PORT: "none" });
  const { checks }: { checks: NamedFinding[] } = JSON.parse(out);
  const [, section = ""] = readFileSync(GUIDE, "utf8").split("\n### Doctor\n");
  const [table = ""] = section.split("\n```");
  const listed = [...table.matchAll(/^\| (`.*?`) +\|/gmu)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => name),
  );
  expect(new Set(listed)).toEqual(new Set(checks.map(({ name }) => name)));
});
