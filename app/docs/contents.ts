import { readFile } from "node:fs/promises";
import path from "node:path";
import { findEvent, listEvents } from "../reference/events.ts";
import { toEventHref, toOperationHref } from "../reference/href.ts";
import type { Member } from "../reference/members.ts";
import { findOperation, listOperations } from "../reference/reference.ts";
import { DOCS, toStem } from "../shell/docs-index.ts";
import type { ListedEntry } from "../shell/docs-index.ts";
import { parseMarkdown, toFragment } from "./_markdown/parse.ts";
import { GUIDES, toGuideHref } from "./guides.ts";
import type { Guide } from "./guides.ts";
import { toChangelog } from "#lib/api/changelog.ts";

/** A guide's text. The guide about versions continues with the changes of each version, which the contract lists. */
export async function readGuide(guide: Guide): Promise<string> {
  const text = await readFile(toFile(guide), "utf8");
  return guide.slug === "versions" ? `${text}\n${toChangelog()}` : text;
}

function toFile({ file }: Guide): string {
  return path.join(process.cwd(), "docs", file);
}

/** Every section of a guide, every operation, and every event, with the words that find it. */
export async function listContents(): Promise<readonly ListedEntry[]> {
  const guides = await Promise.all(GUIDES.map(toSections));
  return [...guides.flat(), ...toOperations(), ...toEvents()];
}

/** A table generated from the contract's descriptions. Each row is an event, which has an entry of its own. */
const GENERATED = /<!-- Written by npm run generate\. -->.*?<!-- The end [^>]*-->/gsu;

async function toSections(guide: Guide): Promise<ListedEntry[]> {
  const sections: { heading: string; isFirst: boolean; text: string }[] = [];
  const written = (await readFile(toFile(guide), "utf8")).replaceAll(GENERATED, "");
  for (const token of parseMarkdown(written)) {
    const section = sections.at(-1);
    if (token.type === "heading") {
      sections.push({ heading: token.text, isFirst: token.depth === 1, text: "" });
    } else if (section && token.type !== "code") {
      // The target of a link says nothing about the section that contains it.
      section.text += `${token.raw.replaceAll(/\]\([^)]*\)/gu, "]")}\n`;
    }
  }
  return sections.map(({ heading, isFirst, text }) => {
    const name = heading.replaceAll("`", "");
    const href = toGuideHref(guide);
    return isFirst
      ? toEntry([href, guide.name, guide.summary], text)
      : toEntry([`${href}#${toFragment(heading)}`, name, guide.name], text);
  });
}

function toOperations(): ListedEntry[] {
  const names = listOperations().flatMap(({ operations }) => operations);
  return names.map(({ id, name, method, path: at }) => {
    const operation = findOperation(id);
    const { body, parameters, summary = "", description = "" } = operation ?? {};
    const members = [...(parameters?.query ?? []), ...(body?.members ?? [])];
    return toEntry(
      [toOperationHref(id), name, `${method} /api${at}`],
      `${id} ${summary} ${description} ${members.map((member) => member.name).join(" ")}`,
    );
  });
}

function toEvents(): ListedEntry[] {
  return listEvents().map(({ name, when }) => {
    const members: readonly Member[] = findEvent(name)?.data.members ?? [];
    return toEntry([toEventHref(name), name, when], members.map((member) => member.name).join(" "));
  });
}

type Shown = readonly [href: string, name: string, detail: string];

/** Makes an entry of the index, which holds the words of a text instead of the text. */
function toEntry([href, name, detail]: Shown, text: string): ListedEntry {
  const known = new Set(toStems(`${name} ${detail}`));
  const stems = new Set(toStems(text).filter((word) => !known.has(word)));
  return [href.slice(DOCS.length), name, detail, [...stems].join(" ")];
}

/** The words of a text that the index can find: no numbers or single letters. */
function toStems(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\p{P}\p{S}]+/u)
    .filter((word) => /^\p{L}.+/u.test(word))
    .flatMap((word) => toStem(word) ?? []);
}
