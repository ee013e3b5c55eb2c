"use client";

import { Download } from "lucide-react";
import type { MouseEvent } from "react";
import { usePageStaffId } from "./made-for.tsx";
import { notify } from "./notice-store.ts";
import { OTHER_PERSON, reload } from "./other-person.tsx";
import { toButtonClass } from "../ui/button-class.ts";
import { isSessionChange, isSessionEnd } from "#lib/api/client.ts";
import { STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";

/** Downloads all pages of a list, for the person that the page was made for. */
export function ExportCsv({
  href,
  label = "Export CSV",
  isMain = false,
}: {
  href: string;
  label?: string;
  /** Whether it is the page's main action. */
  isMain?: boolean;
}) {
  const staffId = usePageStaffId() ?? "";
  const address = `${href}${href.includes("?") ? "&" : "?"}${STAFF_ID_PARAMETER}=${staffId}`;
  return (
    <a
      className={toButtonClass(isMain ? {} : { variant: "secondary", size: "sm" })}
      href={address}
      onClick={(event) => void follow(event, address)}
    >
      <Download aria-hidden />
      <span>{label}</span>
    </a>
  );
}

/**
 * First checks whether the person is still signed in: otherwise, the browser would replace the page with the refusal.
 */
async function follow(event: MouseEvent, address: string): Promise<void> {
  if (event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  try {
    const { readAccountVersion } = await import("./account-version.ts");
    await readAccountVersion();
  } catch (error) {
    if (isSessionEnd(error)) {
      const reason = isSessionChange(error) ? OTHER_PERSON : "Your session has ended";
      notify(`${reason}. Nothing was downloaded.`, "warning", {
        label: "Reload page",
        onPress: reload,
      });
      return;
    }
  }
  window.location.assign(address);
}
