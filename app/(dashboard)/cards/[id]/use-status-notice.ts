"use client";

import { useRouter } from "next/navigation";
import type { CardResource } from "./acts.ts";
import { notify } from "../../../client/notice-store.ts";
import { undoStatus } from "../status-change.ts";
import type { Undo, WhyFrozen } from "../status-change.ts";
import { ApiProblem, OfflineError } from "#lib/api/client.ts";

/**
 * Says how a card's status has changed, and offers to undo it. The server refuses the undo if anybody has changed the
 * status since.
 */
export function useStatusNotice(onChanged: (card: CardResource) => void) {
  const router = useRouter();
  const undo = async (changed: CardResource, change: Undo) => {
    try {
      const card = await undoStatus(changed, change);
      onChanged(card);
      notify(toUndoneText(card, change));
    } catch (error) {
      notify(toRefusal(error), "warning");
    }
    // A failed refresh would replace the page with the browser's error page.
    if (navigator.onLine) {
      router.refresh();
    }
  };
  return {
    /** If the card already had a freeze of that level, there is nothing to undo. */
    frozen: (card: CardResource, before: CardResource) => {
      const made = findFreezeBeyond(card, before);
      notify(
        before.status === "frozen"
          ? "Freezes changed. The card is still frozen."
          : "Card frozen. New transactions are declined.",
        "success",
        made && { label: "Undo", onPress: () => void undo(card, { lift: made.level }) },
      );
    },
    unfrozen: (card: CardResource, before: CardResource) => {
      const lifted = findFreezeBeyond(before, card);
      notify(
        card.status === "frozen"
          ? "Freeze lifted. The card is still frozen."
          : "Card unfrozen. New transactions are approved again.",
        "success",
        lifted && { label: "Freeze again", onPress: () => void undo(card, { freeze: lifted }) },
      );
    },
  };
}

/** The freeze that the first card has and the other lacks, in the form of a request; null if there is none. */
function findFreezeBeyond({ freezes }: CardResource, other: CardResource): WhyFrozen | null {
  const found = freezes.find(({ level }) => !other.freezes.some((each) => each.level === level));
  if (!found) {
    return null;
  }
  const { reason, comment, level, until } = found;
  return { reason, comment, level, until };
}

function toUndoneText({ status }: CardResource, change: Undo): string {
  if ("freeze" in change) {
    return "Card frozen again.";
  }
  return status === "frozen"
    ? "Freeze undone. The card is frozen as before."
    : "Freeze undone. New transactions are approved again.";
}

function toRefusal(error: unknown): string {
  if (error instanceof ApiProblem) {
    return error.problem.detail;
  }
  return error instanceof OfflineError
    ? "You're offline, so this isn't confirmed."
    : "No response. Reload the page to see the card's status.";
}
