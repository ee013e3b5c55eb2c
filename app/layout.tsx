import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";

export const metadata: Metadata = {
  title: "Floatdeck",
  description: "Cards, float and funds for companies that issue payment cards.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

/** Each request's scripts carry a nonce of their own, so that no page can be made ahead of time. */
export const dynamic = "force-dynamic";

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body className="min-h-dvh font-sans text-sm antialiased">{children}</body>
    </html>
  );
}
