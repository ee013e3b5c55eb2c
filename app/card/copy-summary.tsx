"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { copyText } from "../client/copy-text.ts";

const PART = "The summary covers the newest activity of every type. Show all activity first.";

/**
 * Copies the card's history, in words for its holder. The text is null where the page shows only a part of the newest
 * entries.
 */
export function CopySummary({ text }: { text: string | null }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (text !== null) {
      setCopied(await copyText(text, "Copied a summary for the cardholder."));
    }
  };
  return (
    <GuardedButton
      disabledReason={text === null ? PART : null}
      onPress={() => void copy()}
      size="sm"
      variant="secondary"
    >
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span>Copy what happened to this card</span>
    </GuardedButton>
  );
}
