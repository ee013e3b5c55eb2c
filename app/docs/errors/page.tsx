import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";

export const metadata: Metadata = { title: "Error codes" };

/** Where the `type` of every problem leads: the codes one by one, from the same file that the repository keeps. */
export default async function ErrorCodesPage() {
  const groups = toGroups(await readFile(path.join(process.cwd(), "docs/errors.md"), "utf8"));
  return (
    <main className="mx-auto flex max-w-3xl flex-col gap-10 px-4 py-12 sm:px-8 sm:py-20">
      <header className="flex flex-col gap-3">
        <p className="text-muted font-medium">Floatdeck</p>
        <h1 className="text-3xl font-semibold tracking-tight">Error codes</h1>
        <p className="text-muted max-w-xl text-base/7">
          Every error response includes one of these as its <code className="font-mono">code</code>.
        </p>
      </header>
      {groups.map(({ title, codes }) => (
        <section aria-label={title} className="flex flex-col gap-3" key={title}>
          <h2 className="text-base font-semibold">{title}</h2>
          <dl className="border-border bg-surface divide-separator divide-y rounded-lg border">
            {codes.map(({ code, text }) => (
              <div className="flex flex-col gap-1 px-4 py-3 target:bg-surface" id={code} key={code}>
                <dt className="font-mono text-xs/5 break-all">{code}</dt>
                <dd className="text-muted leading-6 wrap-break-word">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </main>
  );
}

interface Group {
  title: string;
  codes: { code: string; text: string }[];
}

/** `## group`, then `### code` and its paragraph, until the next. */
function toGroups(markdown: string): Group[] {
  return markdown.split(/^## /mu).flatMap((group, index) => {
    const [title = "", ...sections] = group.split(/^### /mu);
    const codes = sections.map((section) => {
      const [code = "", ...text] = section.split("\n");
      return { code, text: text.join(" ").replaceAll("`", "").trim() };
    });
    return index === 0 ? [] : [{ title: title.trim(), codes }];
  });
}
