import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { requireStaffPage } from "../staff-page.ts";
import { THEME_COOKIE, toTheme } from "../theme.ts";
import { SandboxStripe } from "../ui/sandbox-stripe.tsx";
import { MobileBar } from "./_shell/mobile-bar.tsx";
import { Palette } from "./_shell/palette.tsx";
import { SideBar } from "./_shell/side-bar.tsx";
import { FOLDED_COOKIE } from "./_shell/side-bar-fold.ts";
import { AccountAlerts } from "./_shell/account-alerts.tsx";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await requireStaffPage();
  const { actor, email, businessName, environment } = session;
  const jar = await cookies();
  const person = { name: actor.ref.name, email, role: actor.staff.role, businessName };
  const theme = toTheme(jar.get(THEME_COOKIE)?.value);
  return (
    <Palette canFreeze={actor.scopes.has("cards:write")}>
      <a
        className="bg-accent text-accent-foreground sr-only z-50 rounded-md px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        href="#content"
      >
        Skip to content
      </a>
      {environment === "sandbox" && <SandboxStripe />}
      <div
        className={`flex min-h-[calc(100dvh-var(--stripe))] flex-col md:flex-row ${environment === "sandbox" ? "[--stripe:1.5rem]" : "[--stripe:0rem]"}`}
      >
        <MobileBar person={person} theme={theme} />
        <SideBar
          initiallyFolded={jar.get(FOLDED_COOKIE)?.value === "1"}
          person={person}
          theme={theme}
        />
        <main
          className="mx-auto flex w-full max-w-[1280px] min-w-0 flex-1 flex-col gap-6 px-4 py-6 md:px-8 md:py-8"
          id="content"
        >
          <AccountAlerts session={session} />
          {children}
        </main>
      </div>
    </Palette>
  );
}
