import { Link } from "../ui/link.tsx";
import { createElement, Fragment } from "react";
import type { Part, Sentence } from "#lib/sentences/say.ts";

/** A sentence with links to its records. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  // The parts of a sentence never change places, so they need no keys.
  return createElement(Fragment, null, ...sentence.map(toElement));
}

function toElement(part: Part) {
  return typeof part === "string" ? (
    <bdi>{part}</bdi>
  ) : (
    <Link className="font-medium underline-offset-4 hover:underline" href={part.href}>
      <bdi>{part.text}</bdi>
    </Link>
  );
}
