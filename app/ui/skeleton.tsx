/** Takes the place of something that is being loaded. Its class gives its size. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />;
}
