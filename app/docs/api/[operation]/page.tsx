import type { Metadata } from "next";
import { findReader } from "../../../page/staff-page.ts";
import { Missing, MISSING } from "../../../page/missing.tsx";
import { Examples } from "../../../reference/examples.tsx";
import { MemberList } from "../../../reference/member-list.tsx";
import { Method } from "../../../reference/method.tsx";
import { OperationErrors } from "../../../reference/operation-errors.tsx";
import { OperationFacts } from "../../../reference/operation-facts.tsx";
import { findOperation } from "../../../reference/reference.ts";
import type { ReferenceOperation } from "../../../reference/reference.ts";
import { ReferencePath } from "../../../reference/reference-path.tsx";
import { Section } from "../../../reference/section.tsx";
import { TryIt } from "../../_try/try-it.tsx";

interface Params {
  params: Promise<{ operation: string }>;
}

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const operation = findOperation((await params).operation);
  return operation ? { title: operation.name, description: operation.summary } : MISSING;
}

/** One operation: what it does, who may call it, its input, its answer, and its refusals. */
export default async function OperationPage({ params }: Params) {
  const operation = findOperation((await params).operation);
  if (!operation) {
    return <Missing back={{ href: "/docs/api", name: "Go to the API reference" }} noun="page" />;
  }
  return (
    // On a narrow screen, the example and Try it come before the long lists.
    <article className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_26rem] xl:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-8">
        <Head operation={operation} />
        <OperationFacts operation={operation} />
      </div>
      <div className="flex min-w-0 flex-col gap-6 xl:col-start-2 xl:row-span-2 xl:row-start-1">
        <Examples operation={operation} />
        <TryIt operation={operation} session={await findReader()} />
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <Input operation={operation} />
        <Answer operation={operation} />
        <OperationErrors operation={operation} />
      </div>
    </article>
  );
}

function Head({ operation }: { operation: ReferenceOperation }) {
  const { group, name, method, path, summary, description } = operation;
  return (
    <header className="flex flex-col gap-3">
      <ReferencePath group={group} />
      <h1 className="text-3xl font-semibold tracking-tight text-balance">{name}</h1>
      <Method method={method} path={`/api${path}`} />
      <p className="max-w-2xl text-base/7">{summary}</p>
      {description !== null && <p className="max-w-2xl leading-7">{description}</p>}
    </header>
  );
}

function Input({ operation: { parameters, body } }: { operation: ReferenceOperation }) {
  return (
    <>
      {parameters.path.length > 0 && (
        <Section title="Path">
          <MemberList members={parameters.path} />
        </Section>
      )}
      {parameters.query.length > 0 && (
        <Section title="Query">
          <MemberList members={parameters.query} />
        </Section>
      )}
      {body && (
        <Section note={body.isRequired ? null : "Optional."} title="Body">
          <MemberList members={body.members} />
        </Section>
      )}
      {parameters.header.length > 0 && (
        <Section title="Headers">
          <MemberList members={parameters.header} />
        </Section>
      )}
    </>
  );
}

function Answer({ operation: { answer } }: { operation: ReferenceOperation }) {
  return (
    <Section note={`${answer.status}, ${answer.mediaType}: ${answer.type}.`} title="Response">
      {answer.members.length > 0 && <MemberList marks="nothing" members={answer.members} />}
    </Section>
  );
}
