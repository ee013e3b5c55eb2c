"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { notify } from "../client/notice-store.ts";

/** Copies the card's history, in words for its holder. */
export function CopySummary({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      notify("Copied a summary for the cardholder.");
    } catch {
      notify("Your browser didn't allow copying.", "warning");
    }
  };
  return (
    <Button onPress={() => void copy()} size="sm" variant="secondary">
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span>Copy what happened to this card</span>
    </Button>
  );
}
