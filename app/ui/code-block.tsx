import { CopyButton } from "./copy-id.tsx";

const HEIGHTS = { limited: "max-h-96", whole: "" } as const;

/**
 * Text as a program sees it, in a box of limited height. The copied text may differ from the shown text, as with
 * indented JSON.
 */
export function CodeBlock({
  label,
  name = label,
  text,
  shown = text,
  height = "limited",
}: {
  label: string;
  /** Distinguishes it from others on the page with the same label. */
  name?: string;
  /** The exact text that is copied. */
  text: string;
  shown?: string;
  height?: keyof typeof HEIGHTS;
}) {
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex items-center justify-between gap-2">
        <span className="text-muted text-xs font-medium">{label}</span>
        <CopyButton text={text} what={name} />
      </figcaption>
      <pre
        aria-label={name}
        className={`border-border bg-surface-secondary focus-visible:outline-focus ${HEIGHTS[height]} overflow-auto rounded-lg border p-3 font-mono text-xs/5 outline-offset-2`}
        role="region"
        // A scrollable element must be reachable without a mouse.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {shown}
      </pre>
    </figure>
  );
}

/** A JSON text, indented for people; the copy is the original text, byte for byte. */
export function JsonBlock({
  label,
  text,
  height = "limited",
}: {
  label: string;
  text: string;
  height?: keyof typeof HEIGHTS;
}) {
  return <CodeBlock height={height} label={label} shown={indent(text)} text={text} />;
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
