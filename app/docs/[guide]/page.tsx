import type { Metadata } from "next";
import { Missing, MISSING } from "../../page/missing.tsx";
import { Markdown } from "../_markdown/markdown.tsx";
import { readGuide } from "../contents.ts";
import { GUIDES } from "../guides.ts";

interface Params {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const guide = await findGuide(params);
  return guide ? { title: guide.name, description: guide.summary } : MISSING;
}

/**
 * A guide, rendered from its file in the repository. The `type` of every problem links to the guide about error
 * codes.
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

async function findGuide(params: Params["params"]) {
  const { guide: slug } = await params;
  return GUIDES.find((guide) => guide.slug === slug);
}
