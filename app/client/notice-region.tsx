"use client";

import { Toast, toast } from "@heroui/react";
import { useEffect } from "react";
import { returnFocus } from "../ui/return-focus.ts";
import { subscribeNotices, takeNotices } from "./notice-store.ts";
import type { NoticeAction } from "./notice-store.ts";

/** Long enough to read a notice, think, and reach its button. */
const ACTION_MS = 12_000;

/** Shows each notice for some seconds. */
export function NoticeRegion() {
  useEffect(() => {
    const show = () => {
      for (const { text, tone, action } of takeNotices()) {
        const key: string = toast[tone](
          text,
          action ? toOptions(action, () => toast.close(key)) : {},
        );
      }
    };
    show();
    return subscribeNotices(show);
  }, []);
  return <Toast.Provider placement="bottom end" />;
}

/** The action is offered once: taking it closes the notice. */
function toOptions({ label, onPress }: NoticeAction, close: () => void) {
  return {
    timeout: ACTION_MS,
    actionProps: {
      children: label,
      onPress: () => {
        close();
        onPress();
        returnFocus(null);
      },
    },
  };
}
