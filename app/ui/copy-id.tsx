"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

const SHOWN = 8;
const NOTICE_MS = 1_500;

/** A shortened id, and a button that copies the whole id. */
export function CopyId({ id, label = "id" }: { id: string; label?: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs print:hidden" title={id}>
        {id.length > SHOWN + 4 ? `${id.slice(0, 4)}…${id.slice(-SHOWN + 2)}` : id}
      </code>
      <code className="hidden font-mono text-xs print:inline">{id}</code>
      <CopyButton text={id} what={label} />
    </span>
  );
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), NOTICE_MS);
  };
  return (
    <Button
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      className="h-6 w-6 min-w-6 print:hidden"
      isIconOnly
      onPress={() => void copy()}
      size="sm"
      variant="ghost"
    >
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </Button>
  );
}
