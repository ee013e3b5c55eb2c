import { Circle, CircleCheck } from "lucide-react";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";

/** The way from an empty account to a card that can be used. */
export function Checklist({
  isFunded,
  hasCard,
  hasUrl,
}: {
  isFunded: boolean;
  hasCard: boolean;
  hasUrl: boolean;
}) {
  const steps = [
    { name: "Top up the float", isDone: isFunded, href: "/float", verb: "Go to the float" },
    { name: "Create a card", isDone: hasCard, href: "/cards", verb: "Go to cards" },
    {
      name: "Set the webhook URL",
      isDone: hasUrl,
      href: "/settings/account",
      verb: "Go to the account",
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel title="To begin with">
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
