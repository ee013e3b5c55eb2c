/** The merchant's own text, exactly as it was sent, in whatever direction its script runs. */
export function Narrative({ text, className = "" }: { text: string; className?: string }) {
  return (
    <bdi className={`break-words whitespace-pre-wrap ${className}`} dir="auto">
      {text}
    </bdi>
  );
}
