import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";

/** An HTTP status with the icon and color of its class. */
export function StatusLabel({ status }: { status: number }) {
  const { icon: Icon, look, words } = toLook(status);
  return (
    <span className={`inline-flex items-center gap-1 font-medium tabular-nums ${look}`}>
      <Icon aria-label={words} className="size-3.5" />
      <span>{status}</span>
    </span>
  );
}

function toLook(status: number) {
  if (status >= 500) {
    return { icon: TriangleAlert, look: "text-declined", words: "Server error" };
  }
  return status >= 400
    ? { icon: CircleX, look: "text-declined", words: "Refused" }
    : { icon: CircleCheck, look: "text-active", words: "Succeeded" };
}
