/** A placeholder for something that is being loaded. Its class sets its size. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />;
}
