"use client";

import { Toast, toast } from "@heroui/react";
import { useEffect } from "react";
import { subscribeNotices, takeNotices } from "./notice-store.ts";

/** Shows each notice for some seconds. */
export function NoticeRegion() {
  useEffect(() => {
    const show = () => {
      for (const { text, tone } of takeNotices()) {
        toast[tone](text);
      }
    };
    show();
    return subscribeNotices(show);
  }, []);
  return <Toast.Provider placement="bottom end" />;
}
