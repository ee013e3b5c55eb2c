import type { Elements } from "./elements.ts";
import { toAheadText } from "#lib/base/deadline-clock.ts";

/** Says on every page that no money here is real, and how far the account's deadlines are ahead of real time. */
export function SandboxStripe({
  aheadS = 0,
  children,
}: {
  /** In seconds. */
  aheadS?: number;
  /** The menu that changes it. */
  children?: Elements;
}) {
  return (
    <aside
      aria-label="Environment"
      className="border-separator text-pending bg-surface sticky top-0 z-30 flex h-(--stripe) items-center justify-center gap-2 border-b px-4 text-xs/6 font-medium [--stripe:1.5rem]"
    >
      <span className="truncate">
        {aheadS === 0
          ? "Sandbox: no real money moves here"
          : `Sandbox · deadlines ${toAheadText(aheadS)} ahead`}
      </span>
      {children}
    </aside>
  );
}
