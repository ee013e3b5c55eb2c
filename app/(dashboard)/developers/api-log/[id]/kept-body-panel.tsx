import { CodeBlock, JsonBlock } from "../../../../ui/code-block.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { hasBody, toGaps } from "./not-kept.ts";
import type { KeptBody } from "#lib/record/request-resource.ts";

/** The kept part of a body, and what is missing from it. */
export function KeptBodyPanel({
  title,
  kept,
  absence,
  command,
}: {
  title: string;
  kept: KeptBody | null;
  /** Why nothing was kept. */
  absence: string | null;
  /** A shell command that sends it again. */
  command?: string;
}) {
  const gaps = kept && toGaps(kept);
  return (
    <Panel title={title}>
      <div className="flex flex-col gap-4">
        {kept && hasBody(kept) && (
          <JsonBlock
            label={`${title} body`}
            text={kept.text ?? JSON.stringify(kept.body, null, 2)}
          />
        )}
        {(gaps ?? absence) !== null && <p className="text-muted">{gaps ?? absence}</p>}
        {command !== undefined && <CodeBlock label="curl" text={command} />}
      </div>
    </Panel>
  );
}
