import type { Metadata } from "next";
import { Link } from "../ui/link.tsx";
import type { ReactNode } from "react";
import { GUIDES, toGuideHref } from "./guides.ts";
import { listEvents } from "../reference/events.ts";
import { listOperations } from "../reference/reference.ts";

export const metadata: Metadata = { title: "Documentation" };

export default function DocsPage() {
  const count = listOperations().flatMap(({ operations }) => operations).length;
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <header className="flex flex-col gap-3">
        <h1 className="text-3xl font-semibold tracking-tight">Documentation</h1>
        <p className="text-muted max-w-xl text-base/7">
          Everything you need to run cards over REST, served by the server that answers you.
        </p>
      </header>
      <ul className="grid gap-3 sm:grid-cols-2">
        {GUIDES.map((guide) => (
          <Entry href={toGuideHref(guide)} key={guide.slug} name={guide.name}>
            {guide.summary}
          </Entry>
        ))}
        <Entry
          href="/docs/api"
          name="API reference"
        >{`All ${count} operations and ${listEvents().length} events, with their members and examples.`}</Entry>
        <Entry href="/api/openapi.json" name="OpenAPI 3.1 document">
          The same, for your tools.
        </Entry>
      </ul>
    </div>
  );
}

function Entry({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  const className =
    "border-border bg-surface hover:border-field-border focus-visible:outline-focus flex h-full flex-col gap-1 rounded-lg border p-4 outline-offset-2";
  const content = (
    <>
      <span className="font-medium">{name}</span>
      <span className="text-muted leading-6">{children}</span>
    </>
  );
  return (
    <li>
      {href.startsWith("/api/") ? (
        <a className={className} href={href}>
          {content}
        </a>
      ) : (
        <Link className={className} href={href}>
          {content}
        </Link>
      )}
    </li>
  );
}
