"use client";

import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { listShortcuts } from "./shortcuts.ts";

/** Lists the keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <DialogBody className="pb-6">
        {listShortcuts().map(({ heading, shortcuts }) => (
          <section aria-label={heading} key={heading}>
            <h3 className="text-muted mb-1 text-xs font-medium">{heading}</h3>
            <dl className="divide-separator divide-y">
              {shortcuts.map(({ keys, does }) => (
                <div className="flex items-center justify-between gap-4 py-1.5" key={does}>
                  <dt>{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <kbd className="kbd" key={key}>
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}
