"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { useState } from "react";
import type { ReactNode } from "react";
import { BusyNotice } from "./client/busy-notice.tsx";
import { FreshSignIn } from "./client/fresh-sign-in.tsx";
import { Notices } from "./client/notices.tsx";
import { ReturnedPage } from "./client/returned-page.tsx";
import { newQueryClient } from "./client/query-client.ts";

/** Provides what the client parts of every page share: requests, a fresh sign-in, notices. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <I18nProvider locale="en-US">
        <ReturnedPage>
          <FreshSignIn>{children}</FreshSignIn>
        </ReturnedPage>
        <Notices />
        <BusyNotice />
      </I18nProvider>
    </QueryClientProvider>
  );
}
