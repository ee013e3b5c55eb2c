import type { ReactNode } from "react";

/** Shown in an empty place: what will be here, and the next step with its button. */
export function Empty({
  title,
  children,
  action,
  isPage = false,
}: {
  title: string;
  /** Whether it is the page's only content, so that its title is the page's heading. */
  isPage?: boolean;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="text-muted flex flex-col items-center gap-2 px-6 py-12 text-center">
      {isPage ? (
        <h1 className="text-foreground text-xl font-semibold tracking-tight">{title}</h1>
      ) : (
        <p className="text-base font-medium">{title}</p>
      )}
      <p className="text-muted max-w-sm text-balance">{children}</p>
      {action && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}
