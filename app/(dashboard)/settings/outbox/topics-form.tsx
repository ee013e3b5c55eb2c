"use client";

import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { Switch } from "../../../ui/checkbox.tsx";
import { TOPIC_NAMES, TOPICS } from "#lib/messages/topics.ts";
import type { Topic } from "#lib/messages/topics.ts";

/** The topics that a person gets mail about, each with a switch. */
export function TopicsForm({ muted }: { muted: readonly Topic[] }) {
  const choose = useOperation(OPERATIONS.chooseMessages);
  const off = new Set(muted);
  const toggle = (topic: Topic) =>
    choose.mutate({ body: { muted: [...off.symmetricDifference(new Set([topic]))] } });
  return (
    <div className="flex flex-col gap-3">
      {TOPIC_NAMES.map((topic) => (
        <Switch
          isDisabled={choose.isPending}
          isSelected={!off.has(topic)}
          key={topic}
          onChange={() => toggle(topic)}
        >
          {TOPICS[topic]}
        </Switch>
      ))}
      <p className="text-muted text-xs">
        Mail about how you sign in can&apos;t be switched off. Your role decides what else concerns
        you.
      </p>
      <ProblemAlert error={choose.error} />
    </div>
  );
}
