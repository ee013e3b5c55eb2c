import { CopyButton } from "./copy-id.tsx";

/** Text as a program sees it, in a box of limited height. What is copied may differ from what is shown, as indented JSON does. */
export function CodeBlock({
  label,
  text,
  shown = text,
}: {
  label: string;
  /** What is copied: the exact text. */
  text: string;
  shown?: string;
}) {
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex items-center justify-between gap-2">
        <span className="text-muted text-xs font-medium">{label}</span>
        <CopyButton text={text} what={label} />
      </figcaption>
      <pre
        aria-label={label}
        className="border-border bg-surface-secondary focus-visible:outline-focus max-h-96 overflow-auto rounded-lg border p-3 font-mono text-xs/5 outline-offset-2"
        role="region"
        // What scrolls must be reachable without a mouse.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {shown}
      </pre>
    </figure>
  );
}

/** A JSON text, indented for people; the copy is the text itself, byte for byte. */
export function JsonBlock({ label, text }: { label: string; text: string }) {
  return <CodeBlock label={label} shown={indent(text)} text={text} />;
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
