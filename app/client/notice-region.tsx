"use client";

import { X } from "lucide-react";
import { useEffect } from "react";
import { Text } from "react-aria-components/Text";
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components/Toast";
import { ToneIcon } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { returnFocus } from "../ui/return-focus.ts";
import { subscribeNotices, takeNotices } from "./notice-store.ts";
import type { Notice } from "./notice-store.ts";

/** The time it takes to read a notice. */
const SHOWN_MS = 5_000;
/** The time it takes to read a notice, think, and reach its button. */
const ACTION_MS = 12_000;
const SHOWN_MAX = 3;

const queue = new ToastQueue<Notice>({ maxVisibleToasts: SHOWN_MAX });

/** Shows each notice for some seconds, or longer while somebody points at a notice or focuses it. */
export function NoticeRegion() {
  useEffect(() => {
    const show = () => {
      for (const notice of takeNotices()) {
        queue.add(notice, { timeout: notice.action === null ? SHOWN_MS : ACTION_MS });
      }
    };
    show();
    return subscribeNotices(show);
  }, []);
  return (
    <ToastRegion aria-label="Notices" className="notices" queue={queue}>
      {({ toast }) => (
        <Toast className={`notice tone-${toast.content.tone}`} toast={toast}>
          <ToneIcon tone={toast.content.tone} />
          <ToastContent className="min-w-0 flex-1 py-1.5 wrap-break-word">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <Buttons close={() => queue.close(toast.key)} notice={toast.content} />
        </Toast>
      )}
    </ToastRegion>
  );
}

/** A notice's buttons. The action is offered once: taking it closes the notice. */
function Buttons({ notice: { action }, close }: { notice: Notice; close: () => void }) {
  return (
    <>
      {action && (
        <Button
          onPress={() => {
            close();
            action.onPress();
            returnFocus(null);
          }}
          size="sm"
          variant="secondary"
        >
          {action.label}
        </Button>
      )}
      <Button aria-label="Close" isIconOnly onPress={close} size="sm" variant="ghost">
        <X aria-hidden />
      </Button>
    </>
  );
}
