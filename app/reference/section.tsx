import type { Elements } from "../ui/elements.ts";

/** A section of a reference page, with its title. */
export function Section({
  title,
  note = null,
  children,
}: {
  title: string;
  note?: string | null;
  children?: Elements;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
      {note !== null && <p className="text-muted">{note}</p>}
      {children}
    </section>
  );
}
