import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";
import type { DeclaredEvent } from "#lib/events/event.ts";
import { toEntry } from "./entry.ts";
import { withTable } from "./guide-table.ts";
import type { Row } from "./guide-table.ts";

/** Generates the lists of events from the files that declare them. */

interface Found {
  /** The constant that declares it. */
  constant: string;
  file: string;
  event: DeclaredEvent;
}

const GUIDE = "docs/webhooks.md";

/** The text of each file that lists events. @throws Error for a declaration that is not in the file named after it. */
export async function listEvents(): Promise<Record<string, string>> {
  const found = await findEvents();
  return {
    "lib/events/declared.ts": listDeclarations(found),
    "lib/record/declared-events.ts": listNames(found),
    [GUIDE]: withTable(GUIDE, toTable(found)),
  };
}

async function findEvents(): Promise<Found[]> {
  const files = globSync("lib/events/*.ts", { cwd: ROOT });
  const found = await Promise.all(files.map(readDeclared));
  return found
    .flat()
    .toSorted(
      ({ event: a }, { event: b }) =>
        toNoun(a).localeCompare(toNoun(b)) || a.order - b.order || a.name.localeCompare(b.name),
    );
}

async function readDeclared(file: string): Promise<Found[]> {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  const { constant } = /^export const (?<constant>\w+) = event\(/mu.exec(text)?.groups ?? {};
  if (constant === undefined) {
    return [];
  }
  const exported: Record<string, DeclaredEvent> = await import(path.join(ROOT, file));
  const event = exported[constant];
  const wanted = event && `lib/events/${event.name.replaceAll(/[._]/gu, "-")}.ts`;
  if (!event || file !== wanted) {
    throw new Error(`${file} declares an event whose file is ${wanted}.`);
  }
  return [{ constant, file, event }];
}

function toNoun({ name }: DeclaredEvent): string {
  return name.slice(0, name.indexOf("."));
}

function listDeclarations(found: readonly Found[]): string {
  return [
    "// Written by npm run generate.",
    ...found.map(({ constant, file }) => `import { ${constant} } from "#${file}";`),
    'import type { DeclaredEvent } from "#lib/events/event.ts";',
    'import type { EventName } from "#lib/record/event-catalog.ts";',
    "",
    "/** Every event, in the order of the reference. */",
    "export const DECLARED: Readonly<Record<EventName, DeclaredEvent>> = {",
    ...found.map(({ constant, event }) => `  "${event.name}": ${constant},`),
    "};",
    "",
  ].join("\n");
}

/** The names of events, without schemas and examples, for pages and the lowest rooms. */
function listNames(found: readonly Found[]): string {
  return [
    "// Written by npm run generate.",
    "",
    "/** Every event that an integrator can be notified of, and when it is sent. */",
    "export const EVENTS = {",
    ...found.map(({ event: { name, when } }) => toEntry(name, when)),
    "} as const;",
    "",
  ].join("\n");
}

function toTable(found: readonly Found[]): Row[] {
  const rows = found.map(({ event }) => [`\`${event.name}\``, event.when]);
  return [["event", "when"], ...rows];
}
