"use client";

import { useRouter } from "next/navigation";
import type { CardResource } from "./acts.ts";
import { notify } from "../../../client/notice-store.ts";
import { undoStatus } from "../status-change.ts";
import type { WhyFrozen } from "../status-change.ts";
import { ApiProblem, OfflineError } from "#lib/api/client.ts";

/** Says how a card's status has changed, and offers to undo it: the server refuses if anybody has changed it since. */
export function useStatusNotice(onChanged: (card: CardResource) => void) {
  const router = useRouter();
  const undo = async (changed: CardResource, before: WhyFrozen | null) => {
    try {
      const { card } = await undoStatus(changed, before);
      onChanged(card);
      notify(before ? "Card frozen again." : "Freeze undone. New transactions are approved again.");
    } catch (error) {
      notify(toRefusal(error), "warning");
    }
    // A failed refresh would replace the page with the browser's error page.
    if (navigator.onLine) {
      router.refresh();
    }
  };
  return {
    /** If the card was frozen already, or its status is as before, there is nothing to undo. */
    frozen: (card: CardResource, before: CardResource) =>
      notify(
        "Card frozen. New transactions are declined.",
        "success",
        before.status === "frozen" || card.status_version === before.status_version
          ? null
          : { label: "Undo", onPress: () => void undo(card, null) },
      ),
    unfrozen: (card: CardResource, before: CardResource) =>
      notify(
        card.status === "frozen"
          ? "Freeze lifted. Another one still stands."
          : "Card unfrozen. New transactions are approved again.",
        "success",
        card.status_version === before.status_version
          ? null
          : {
              label: "Freeze again",
              onPress: () => void undo(card, toWhy(card, before)),
            },
      ),
  };
}

/** The freeze that was lifted. */
function toWhy({ freezes }: CardResource, before: CardResource): WhyFrozen {
  const lifted = before.freezes.find(({ level }) => !freezes.some((each) => each.level === level));
  const { reason = null, comment = null, level, until = null } = lifted ?? {};
  return { reason, comment, level, until };
}

function toRefusal(error: unknown): string {
  if (error instanceof ApiProblem) {
    return error.problem.detail;
  }
  return error instanceof OfflineError
    ? "You're offline, so this isn't confirmed."
    : "No response. Reload the page to see the card's status.";
}
