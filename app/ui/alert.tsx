import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { Elements } from "./elements.ts";

const ICONS = { success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;

/** The kinds of messages; styles give each kind its color. */
export type Tone = keyof typeof ICONS;

/** The mark of a message, in the color of its tone. */
export function ToneIcon({ tone }: { tone: Tone }) {
  const Icon = ICONS[tone];
  return <Icon aria-hidden />;
}

/** A message that stands out. */
export function Alert({
  tone,
  title,
  children,
  action,
}: {
  tone: Tone;
  title?: string;
  children: Elements | string;
  action?: Elements;
}) {
  return (
    <div className={`alert tone-${tone}`} role={tone === "danger" ? "alert" : undefined}>
      <ToneIcon tone={tone} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="alert-title font-medium">{title}</p>}
        <div className="wrap-break-word">{children}</div>
      </div>
      {action}
    </div>
  );
}
