/** A request line, as code. */
export function Method({ method, path }: { method: string; path: string }) {
  return (
    <code className="text-muted font-mono text-xs/5 wrap-anywhere">
      <span className="text-foreground font-semibold">{method}</span> <span>{path}</span>
    </code>
  );
}
