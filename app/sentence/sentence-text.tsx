import Link from "next/link";
import type { Sentence } from "./say.ts";

/** A sentence whose records are links. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) =>
    typeof part === "string" ? (
      <bdi key={index}>{part}</bdi>
    ) : (
      <Link
        className="relative z-1 font-medium underline-offset-4 hover:underline"
        href={part.href}
        key={index}
      >
        <bdi>{part.text}</bdi>
      </Link>
    ),
  );
}
