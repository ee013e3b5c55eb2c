import type { Metadata } from "next";
import { Empty } from "../ui/empty.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { answerNotFound } from "#lib/base/page-request.ts";

/** Anything a page may be missing. */
type Noun =
  | "page"
  | "card"
  | "bulk job"
  | "approval"
  | "cardholder"
  | "transaction"
  | "delivery"
  | "endpoint"
  | "event"
  | "message"
  | "request";

export const MISSING: Metadata = { title: "Not found" };

/**
 * Replaces a page or a record that does not exist, with status 404. Another account's record and a malformed id get the
 * same answer.
 */
export function Missing({ noun, back }: { noun: Noun; back: { href: string; name: string } }) {
  answerNotFound();
  return (
    <Empty
      action={
        <LinkButton href={back.href} variant="primary">
          {back.name}
        </LinkButton>
      }
      isPage
      title={`We couldn't find that ${noun}.`}
    >
      {noun === "page"
        ? "The address may be mistyped, or the page may have moved."
        : "The link may be wrong, or it may belong to another account."}
    </Empty>
  );
}
