import { CopyButton } from "./copy-id.tsx";

/** A secret that is shown only once, with a button that copies it. */
export function ShownOnce({
  label,
  text,
  note,
  warning = "Save it now. It's shown only once and can't be recovered.",
}: {
  label: string;
  text: string;
  note: string;
  /** What happens if a person does not save it. */
  warning?: string;
}) {
  return (
    <div className="flex flex-col gap-2">
      <p>{note}</p>
      <div className="border-border bg-surface-secondary flex items-start justify-between gap-2 rounded-lg border p-3">
        <code aria-label={label} className="min-w-0 font-mono text-xs/5 break-all" role="note">
          {text}
        </code>
        <CopyButton text={text} what={label} />
      </div>
      <p className="text-pending">{warning}</p>
    </div>
  );
}
