import { CodeBlock, JsonBlock } from "../ui/code-block.tsx";
import { toCodeExamples } from "./curl.ts";
import type { ReferenceOperation } from "./reference.ts";
import { env } from "#lib/base/env.ts";

/** A call of the operation, and its answer. */
export function Examples({ operation }: { operation: ReferenceOperation }) {
  const { answer } = operation;
  return (
    <section aria-label="Example" className="flex flex-col gap-4">
      {toCodeExamples(operation, `${env().publicUrl}/api`).map(({ language, text }) => (
        <CodeBlock height="whole" key={language} label={language} text={text} />
      ))}
      {answer.example !== undefined && (
        <JsonBlock label={`Response ${answer.status}`} text={JSON.stringify(answer.example)} />
      )}
    </section>
  );
}
