/** The progress of a job. */
export function JobProgress({
  text,
  total,
  ended,
}: {
  text: string;
  total: number;
  ended: number;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium" role="status">
        {text}
      </span>
      <progress aria-label={text} className="progress" max={Math.max(total, 1)} value={ended} />
    </div>
  );
}
