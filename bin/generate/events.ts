import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";
import type { DeclaredEvent } from "#lib/events/event.ts";

/** What lists the events, from the files that declare them. */

interface Found {
  /** The constant that declares it. */
  constant: string;
  file: string;
  event: DeclaredEvent;
}

const GUIDE = "docs/webhooks.md";
const BEGIN = "<!-- Written by npm run generate. -->\n";
const END = "<!-- The end of what npm run generate writes. -->\n";

/** The text of each file that lists events. @throws Error for a declaration that is not in the file named after it. */
export async function listEvents(): Promise<Record<string, string>> {
  const found = await findEvents();
  return {
    "lib/events/declared.ts": listDeclarations(found),
    "lib/record/declared-events.ts": listNames(found),
    [GUIDE]: withTable(found),
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
  const wanted = event && `lib/events/${event.name.replace(".", "-")}.ts`;
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

/** What pages and the lowest rooms know of events: neither schemas nor examples. */
function listNames(found: readonly Found[]): string {
  const actions = found.flatMap(({ event }) => Object.entries(event.actions));
  return [
    "// Written by npm run generate.",
    "",
    "/** Every event that an integrator can be notified of, and when it is sent. */",
    "export const EVENTS = {",
    ...found.map(({ event: { name, when } }) => toEntry(name, when)),
    "} as const;",
    "",
    "/** The actions of the audit log that record the same as an event, and what each is called in a menu or on a timeline. */",
    "export const EVENT_ACTIONS = {",
    ...actions.map(([name, title]) => toEntry(name, title)),
    "} as const;",
    "",
  ].join("\n");
}

function toEntry(name: string, text: string): string {
  return `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`;
}

/** The guide, with the table of its events. */
function withTable(found: readonly Found[]): string {
  const text = readFileSync(path.join(ROOT, GUIDE), "utf8");
  const [before, rest = ""] = text.split(BEGIN, 2);
  const [, after] = rest.split(END, 2);
  if (after === undefined) {
    throw new Error(`${GUIDE} lacks the comments between which the events are listed.`);
  }
  const rows = found.map(({ event }) => [`\`${event.name}\``, event.when, event.data.text]);
  const table = toTable([["event", "when", "`data`"], ...rows]);
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

/** A table of Markdown whose columns are aligned, as the formatter has it. */
function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[], fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |\n`;
  return [head, head.map(() => ""), ...rows]
    .map((cells, index) => toLine(cells, index === 1 ? "-" : " "))
    .join("");
}
