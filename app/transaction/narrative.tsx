/** The merchant's own text, exactly as sent, in the direction of its script. */
export function Narrative({ text, className = "" }: { text: string; className?: string }) {
  return (
    <bdi className={`break-words whitespace-pre-wrap ${className}`} dir="auto">
      {text}
    </bdi>
  );
}
