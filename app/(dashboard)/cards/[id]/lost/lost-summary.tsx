"use client";

import { Copy } from "lucide-react";
import { toCaseText } from "./lost-case.ts";
import type { LostStep, Outcome } from "./lost-case.ts";
import { copyText } from "../../../../client/copy-text.ts";
import { Button } from "../../../../ui/button.tsx";
import { DialogBody, DialogFooter } from "../../../../ui/dialog.tsx";
import { LinkButton } from "../../../../ui/link-button.tsx";
import { toMinute } from "../../../../ui/time-format.ts";
import { useTimeZone } from "../../../../ui/time-zone.tsx";

/** A summary to paste into a ticket, and a link to the new card. */
export function LostSummary({ card, lost, outcome, onClose }: LostStep & { outcome: Outcome }) {
  const timeZone = useTimeZone();
  const text = toCaseText(
    card,
    { ...lost, outcome },
    {
      toTime: (at) => toMinute(new Date(at), timeZone),
      toAddress: (id) => new URL(`/cards/${id}`, location.origin).href,
    },
  );
  return (
    <>
      <DialogBody>
        <p className="text-foreground font-medium">{TITLES[outcome.kind]}</p>
        <pre
          aria-label="Summary"
          className="bg-default text-foreground rounded-lg p-3 font-sans text-sm break-words whitespace-pre-wrap"
        >
          {text}
        </pre>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose} variant="secondary">
          Close
        </Button>
        {outcome.kind === "replaced" && (
          <LinkButton href={`/cards/${outcome.by.id}`} variant="secondary">
            Go to the new card
          </LinkButton>
        )}
        <Button autoFocus onPress={() => void copyText(text, "Copied the summary.")}>
          <Copy aria-hidden />
          Copy summary
        </Button>
      </DialogFooter>
    </>
  );
}

const TITLES: Readonly<Record<Outcome["kind"], string>> = {
  replaced: "The card is replaced.",
  withdrawn: "The balance is withdrawn, and the card stays frozen.",
  frozen: "The card stays as it is.",
};
