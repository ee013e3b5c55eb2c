/** Says on every page that nothing here is real money. */
export function SandboxStripe() {
  return (
    <aside
      aria-label="Environment"
      className="border-separator text-pending bg-surface sticky top-0 z-30 h-(--stripe) truncate border-b px-4 text-center text-xs/6 font-medium [--stripe:1.5rem]"
    >
      Sandbox: no real money moves here
    </aside>
  );
}
