import { ShownOnceStep } from "../../../ui/shown-once-step.tsx";

/** Shows a new key once, with a call to try it. */
export function MadeKey({
  baseUrl,
  text,
  onClose,
}: {
  baseUrl: string;
  text: string;
  onClose: () => void;
}) {
  return (
    <ShownOnceStep label="API key" note="Your key is ready to use." onClose={onClose} text={text}>
      <pre className="border-border bg-surface-secondary rounded-lg border p-3 font-mono text-xs/5 break-all whitespace-pre-wrap">
        {`curl ${baseUrl}/cards -H 'Authorization: Bearer ${text}'`}
      </pre>
    </ShownOnceStep>
  );
}
