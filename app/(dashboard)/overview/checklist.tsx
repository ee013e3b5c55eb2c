import { Circle, CircleCheck } from "lucide-react";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";

/** A step, and where to do it. */
export interface Step {
  name: string;
  isDone: boolean;
  href: string;
  verb: string;
  /** Listed until the required steps are done, but not required itself. */
  isOptional?: boolean;
}

/** The steps from an empty account to a card in use. */
export function Checklist({ steps }: { steps: readonly Step[] }) {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel title="Get started">
      <ol className="flex flex-col gap-2">
        {steps.map(({ name, isDone, href, verb }) => (
          <li className="flex min-h-9 items-center gap-3" key={name}>
            {isDone ? (
              <CircleCheck aria-label="Done" className="text-active size-4" role="img" />
            ) : (
              <Circle aria-label="To do" className="text-muted size-4" role="img" />
            )}
            <span className={`flex-1 ${isDone ? "text-muted" : ""}`}>{name}</span>
            {next?.name === name && (
              <LinkButton href={href} size="sm" variant="primary">
                {verb}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
