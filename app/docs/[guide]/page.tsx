import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";
import { Missing, MISSING } from "../../page/missing.tsx";
import { Markdown } from "../_markdown/markdown.tsx";
import { GUIDES } from "../guides.ts";
import type { Guide } from "../guides.ts";
import { toChangelog } from "#lib/api/changelog.ts";

interface Params {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const guide = await findGuide(params);
  return guide ? { title: guide.name, description: guide.summary } : MISSING;
}

/**
 * A guide, rendered from its file in the repository. The `type` of every problem links to one of them, the error codes.
 */
export default async function GuidePage({ params }: Params) {
  const guide = await findGuide(params);
  if (!guide) {
    return <Missing back={{ href: "/docs", name: "Go to the documentation" }} noun="page" />;
  }
  return (
    <article className="flex max-w-3xl flex-col gap-4">
      <Markdown text={await readGuide(guide)} />
    </article>
  );
}

/** A guide's text. The guide about versions continues with the changes of each version, which the contract lists. */
async function readGuide({ slug, file }: Guide): Promise<string> {
  const text = await readFile(path.join(process.cwd(), "docs", file), "utf8");
  return slug === "versions" ? `${text}\n${toChangelog()}` : text;
}

async function findGuide(params: Params["params"]) {
  const { guide: slug } = await params;
  return GUIDES.find((guide) => guide.slug === slug);
}
