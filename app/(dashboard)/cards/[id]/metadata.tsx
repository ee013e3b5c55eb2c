"use client";

import { Pencil } from "lucide-react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { CardResource } from "./acts.ts";

const MetadataDialog = fetched(() =>
  import("./metadata-dialog.tsx").then((loaded) => loaded.MetadataDialog),
);

/** The integrator's own labels for the card. */
export function Metadata({
  card,
  disabledReason,
}: {
  card: CardResource;
  disabledReason: string | null;
}) {
  const entries = Object.entries(card.metadata);
  return (
    <Panel
      action={
        <DialogButton
          about={{ card }}
          dialog={MetadataDialog}
          disabledReason={disabledReason}
          size="sm"
          variant="ghost"
        >
          <Pencil aria-hidden />
          Edit metadata
        </DialogButton>
      }
      title="Metadata"
    >
      {entries.length === 0 ? (
        <p className="text-muted">
          No metadata. Add keys such as an order ID to find this card by them.
        </p>
      ) : (
        <Facts>
          {entries.map(([key, value]) => (
            <Fact key={key} term={<bdi className="font-mono text-xs">{key}</bdi>}>
              <bdi className="break-words">{value}</bdi>
            </Fact>
          ))}
        </Facts>
      )}
    </Panel>
  );
}
