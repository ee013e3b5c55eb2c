import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "./providers.tsx";
import { SEARCH_SCRIPT } from "./shell/search-script.ts";
import { THEME_COOKIE, THEME_SCRIPT, toTheme } from "./ui/theme.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Floatdeck", template: "%s · Floatdeck" },
  description: "Cards, float and funds for companies that issue payment cards.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

/** Each request has its own nonce for scripts, so no page can be rendered ahead of time. */
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = toTheme((await cookies()).get(THEME_COOKIE)?.value);
  const requested = await headers();
  const nonce = /'nonce-(?<nonce>[^']+)'/u.exec(requested.get("content-security-policy") ?? "")
    ?.groups?.["nonce"];
  return (
    <html
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-request-id={requested.get("x-request-id")}
      data-theme={theme === "system" ? "light" : theme}
      lang="en"
      suppressHydrationWarning
    >
      <body className="min-h-dvh font-sans text-sm antialiased">
        {/* oxlint-disable-next-line react/no-danger */}
        <script dangerouslySetInnerHTML={{ __html: SEARCH_SCRIPT }} nonce={nonce} />
        {theme === "system" && (
          // Runs before anything is painted: only the browser knows what the system prefers.
          // oxlint-disable-next-line react/no-danger
          <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} nonce={nonce} />
        )}
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
