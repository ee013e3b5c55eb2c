import type { ReactNode } from "react";
import { findReader } from "../page/staff-page.ts";
import { SandboxStripe } from "../ui/sandbox-stripe.tsx";
import { DocsHeader } from "./_frame/docs-header.tsx";
import { DocsMenu } from "./_frame/docs-menu.tsx";
import { DocsNavigation } from "./_frame/docs-navigation.tsx";
import type { NavigationGroup } from "./_frame/docs-navigation.tsx";
import { DocsPalette } from "./_frame/docs-palette.tsx";
import { GUIDES, toGuideHref } from "./guides.ts";
import { listEvents } from "../reference/events.ts";
import { toEventHref, toOperationHref } from "../reference/href.ts";
import { listOperations } from "../reference/reference.ts";
import { env } from "#lib/base/env.ts";

/** The frame of every page of the documentation. It is public; a signed-in person also has the palette here. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const session = await findReader();
  const isSandbox = env().environment === "sandbox";
  const navigation = (
    <DocsNavigation
      groups={toGroups()}
      guides={GUIDES.map((guide) => ({ href: toGuideHref(guide), name: guide.name }))}
    />
  );
  return (
    <DocsPalette session={session}>
      <a
        className="bg-accent text-accent-foreground sr-only z-50 rounded-md px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        href="#content"
      >
        Skip to content
      </a>
      {isSandbox && <SandboxStripe />}
      <div className={isSandbox ? "[--stripe:1.5rem]" : "[--stripe:0rem]"}>
        <DocsHeader isSignedIn={session !== undefined} menu={<DocsMenu>{navigation}</DocsMenu>} />
        <div className="mx-auto flex w-full max-w-[1280px]">
          <aside
            aria-label="Contents"
            className="border-separator sticky top-[calc(var(--stripe)+3rem)] hidden h-[calc(100dvh-var(--stripe)-3rem)] w-64 shrink-0 overflow-y-auto border-r px-3 py-6 lg:block"
          >
            {navigation}
          </aside>
          <main className="min-w-0 flex-1 px-4 py-8 sm:px-8 lg:px-12 lg:py-10" id="content">
            {children}
          </main>
        </div>
      </div>
    </DocsPalette>
  );
}

/** The operations by noun, then the events. */
function toGroups(): readonly NavigationGroup[] {
  const nouns = listOperations().map(({ name, operations }) => ({
    name,
    items: operations.map((operation) => ({
      href: toOperationHref(operation.id),
      name: operation.name,
    })),
  }));
  const events = listEvents().map(({ name }) => ({ href: toEventHref(name), name }));
  return [...nouns, { name: "Events", items: events }];
}
