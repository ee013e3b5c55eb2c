import type { Metadata } from "next";
import { Link } from "../../ui/link.tsx";
import type { ReactNode } from "react";
import type { Elements } from "../../ui/elements.ts";
import { Method } from "../../reference/method.tsx";
import { listEvents } from "../../reference/events.ts";
import type { ListedEvent } from "../../reference/events.ts";
import { toEventHref, toOperationHref } from "../../reference/href.ts";
import { listOperations } from "../../reference/reference.ts";
import type { OperationGroup } from "../../reference/reference.ts";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "API reference" };

/** A file, which the browser itself loads. */
const OPENAPI = "/api/openapi.json";

const LINK = "underlined-link";

/** Every operation, by noun, and every event. */
export default function ReferencePage() {
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <header className="flex flex-col gap-3">
        <h1 className="text-3xl font-semibold tracking-tight">API reference</h1>
        <p className="text-muted max-w-xl text-base/7">
          JSON over HTTP, below{" "}
          <code className="font-mono text-sm">{`${env().publicUrl}/api`}</code>. New here? Start
          with the{" "}
          <Link className={LINK} href="/docs/quick-start">
            quick start
          </Link>
          . For your tools, there is an{" "}
          <a className={LINK} href={OPENAPI}>
            OpenAPI 3.1 document
          </a>
          .
        </p>
      </header>
      {listOperations().map((group) => (
        <Group group={group} key={group.name} />
      ))}
      <Events events={listEvents()} />
    </div>
  );
}

function Group({ group: { name, operations } }: { group: OperationGroup }) {
  return (
    <List name={name}>
      {operations.map((operation) => (
        <Entry href={toOperationHref(operation.id)} key={operation.id} name={operation.name}>
          <Method method={operation.method} path={operation.path} />
        </Entry>
      ))}
    </List>
  );
}

function Events({ events }: { events: readonly ListedEvent[] }) {
  return (
    <List name="Events">
      {events.map(({ name, when }) => (
        <Entry href={toEventHref(name)} key={name} name={<code className="font-mono">{name}</code>}>
          <p className="text-muted leading-6">{when}</p>
        </Entry>
      ))}
    </List>
  );
}

function List({ name, children }: { name: string; children: Elements }) {
  const id = name.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 className="scroll-mt-24 text-xl font-semibold tracking-tight" id={id}>
        {name}
      </h2>
      <ul className="border-border bg-surface divide-separator divide-y rounded-lg border">
        {children}
      </ul>
    </section>
  );
}

function Entry({ href, name, children }: { href: string; name: ReactNode; children: Elements }) {
  return (
    <li className="relative flex flex-col gap-0.5 px-4 py-2.5">
      <Link
        className="focus-visible:outline-focus w-fit rounded font-medium outline-offset-2 after:absolute after:inset-0 hover:underline hover:underline-offset-4"
        href={href}
      >
        {name}
      </Link>
      {children}
    </li>
  );
}
