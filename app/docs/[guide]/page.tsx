import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";
import { Missing, MISSING } from "../../missing.tsx";
import { Markdown } from "../_markdown/markdown.tsx";
import { GUIDES } from "../guides.ts";

interface Params {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const guide = await findGuide(params);
  return guide ? { title: guide.name, description: guide.summary } : MISSING;
}

/** A guide, from the file that the repository keeps. The `type` of every problem leads to one of them, the error codes. */
export default async function GuidePage({ params }: Params) {
  const guide = await findGuide(params);
  if (!guide) {
    return <Missing back={{ href: "/docs", name: "Go to the documentation" }} noun="page" />;
  }
  const text = await readFile(path.join(process.cwd(), "docs", guide.file), "utf8");
  return (
    <article className="flex max-w-3xl flex-col gap-4">
      <Markdown text={text} />
    </article>
  );
}

async function findGuide(params: Params["params"]) {
  const { guide: slug } = await params;
  return GUIDES.find((guide) => guide.slug === slug);
}
