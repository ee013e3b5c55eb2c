"use client";

import { useEffect, useState } from "react";
import { findPageRequestId } from "./client/hold-pages.ts";
import { PlainPage } from "./page/plain-page.tsx";
import { restoreTheme } from "./ui/theme.ts";
import "./globals.css";

/** Replaces the whole document when even its layout failed: nothing around the page can be relied on. */
export default function DocumentError() {
  useEffect(restoreTheme, []);
  const [requestId] = useState(findPageRequestId);
  return (
    <html data-theme="light" lang="en">
      <head>
        <title>Something went wrong · Floatdeck</title>
      </head>
      <body className="min-h-dvh font-sans text-sm antialiased">
        <PlainPage>
          <div className="flex flex-col items-center gap-3 px-6 py-12 text-center" role="alert">
            <h1 className="text-base font-medium">We couldn't load this page.</h1>
            <p className="text-muted">Something went wrong on our side. Nothing was changed.</p>
            {requestId && (
              <p className="text-muted text-xs">{`Request ID for support: ${requestId}`}</p>
            )}
            {/* The router may have failed, so the browser itself follows the link. */}
            {/* oxlint-disable-next-line next/no-html-link-for-pages */}
            <a className="underlined-link" href="/">
              Go to the start page
            </a>
          </div>
        </PlainPage>
      </body>
    </html>
  );
}
