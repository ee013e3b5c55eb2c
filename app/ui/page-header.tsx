import type { ReactNode } from "react";

/** A page's title with its main action at the right. */
export function PageHeader({
  title,
  description,
  action,
}: {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
        {description && <p className="text-muted max-w-2xl">{description}</p>}
      </div>
      {action && (
        <div data-main-action className="flex max-w-full shrink-0 flex-wrap items-center gap-2">
          {action}
        </div>
      )}
    </header>
  );
}
