import type { Metadata } from "next";
import { Link } from "../../../../ui/link.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { CodeBlock, JsonBlock } from "../../../../ui/code-block.tsx";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { findEvent } from "../../../../reference/events.ts";
import type { ReferenceEvent } from "../../../../reference/events.ts";
import { toOperationHref } from "../../../../reference/href.ts";
import { MemberList } from "../../../../reference/member-list.tsx";
import { ReferencePath } from "../../../../reference/reference-path.tsx";
import { Section } from "../../../../reference/section.tsx";
import { env } from "#lib/base/env.ts";

interface Params {
  params: Promise<{ event: string }>;
}

const LINK = "underlined-link";

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const event = findEvent((await params).event);
  return event ? { title: event.name, description: event.when } : MISSING;
}

/** One event: when it is sent, what it contains, and how to trigger it. */
export default async function EventReferencePage({ params }: Params) {
  const event = findEvent((await params).event);
  if (!event) {
    return <Missing back={{ href: "/docs/api", name: "Go to the API reference" }} noun="page" />;
  }
  return (
    // On a narrow screen, the example comes before the long lists, as on the page of an operation.
    <article className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_26rem] xl:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-8">
        <Head event={event} />
        <EventFacts />
      </div>
      <Examples event={event} />
      <div className="flex min-w-0 flex-col gap-8">
        <Section note={toDataNote(event)} title="Data">
          <MemberList marks="nothing" members={event.data.members} />
        </Section>
        <Section note="Every event has these members beside data." title="Event">
          <MemberList marks="nothing" members={event.members} />
        </Section>
        <Section title="Headers">
          <MemberList marks="nothing" members={event.headers} />
        </Section>
      </div>
    </article>
  );
}

function Head({ event: { name, when, description } }: { event: ReferenceEvent }) {
  return (
    <header className="flex flex-col gap-3">
      <ReferencePath group="Events" />
      <h1 className="font-mono text-2xl/9 font-semibold tracking-tight wrap-anywhere">{name}</h1>
      <p className="max-w-2xl text-base/7">{when}</p>
      {description !== null && <p className="max-w-2xl leading-7">{description}</p>}
    </header>
  );
}

function EventFacts() {
  return (
    <div className="border-border bg-surface rounded-lg border p-4">
      <Facts>
        <Fact term="Signature">
          <Link className={LINK} href="/docs/webhooks#verify-the-signature">
            Verify it over the raw body
          </Link>
        </Fact>
        <Fact term="Delivery">
          <Link className={LINK} href="/docs/webhooks#retries-and-failures">
            At least once, with retries
          </Link>
        </Fact>
        <Fact term="Without webhooks">
          <Link className={LINK} href={toOperationHref("listEvents")}>
            GET /events
          </Link>
        </Fact>
      </Facts>
    </div>
  );
}

function Examples({ event: { name, example } }: { event: ReferenceEvent }) {
  const { publicUrl, environment } = env();
  return (
    <section
      aria-label="Example"
      className="flex min-w-0 flex-col gap-4 xl:col-start-2 xl:row-span-2 xl:row-start-1"
    >
      <JsonBlock height="whole" label="Notification" text={JSON.stringify(example)} />
      {environment === "sandbox" && (
        <CodeBlock
          height="whole"
          label="Make it happen in the sandbox"
          text={`npx --yes "$(curl -s ${publicUrl}/client)" \\\n  trigger ${name} --key "$API_KEY"`}
        />
      )}
    </section>
  );
}

/** Names the API's resource if `data` is one, and adds whatever else the document says about it. */
function toDataNote({ data: { type, description } }: ReferenceEvent): string {
  const what = type === "object" ? "Members of data." : `data is of type ${type}.`;
  return description === null ? what : `${what} ${description}`;
}
