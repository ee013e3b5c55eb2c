"use client";

import { LogOut, Monitor, Moon, ShieldCheck, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { Header } from "react-aria-components/Header";
import { MenuSection } from "react-aria-components/Menu";
import { Separator } from "react-aria-components/Separator";
import { useState } from "react";
import { mayLeave } from "../client/unsaved-changes.ts";
import { notify } from "../client/notice-store.ts";
import { chooseTheme, THEMES, toTheme } from "../ui/theme.ts";
import type { Theme } from "../ui/theme.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { TriggerButton } from "../ui/trigger-button.tsx";
import { PersonBadge } from "./person-badge.tsx";
import type { Person } from "./person-badge.tsx";

const LOOKS = [
  { theme: "system", name: "System", icon: Monitor },
  { theme: "light", name: "Light", icon: Sun },
  { theme: "dark", name: "Dark", icon: Moon },
] as const;

/** The signed-in person's account, the theme, and signing out. */
export function PersonDropdown({
  person,
  theme,
  folded = false,
}: {
  person: Person;
  theme: Theme;
  folded?: boolean;
}) {
  const router = useRouter();
  const [chosen, setChosen] = useState(theme);
  const choose = (next: Theme) => {
    setChosen(next);
    chooseTheme(next);
  };
  const act = (key: string) => {
    if (key === "sign-out") {
      leave().catch(sayStillSignedIn);
    } else if (key === "security" && mayLeave()) {
      router.push("/settings/security");
    }
  };
  return (
    <Menu
      button={
        <TriggerButton
          className={folded ? "" : "h-11 w-full justify-start px-1.5"}
          isIconOnly={folded}
          variant="ghost"
        >
          <PersonBadge folded={folded} person={person} />
        </TriggerButton>
      }
      isOpenAtFirst
      label="Account menu"
      onAction={act}
      placement="top start"
    >
      <MenuSection
        onSelectionChange={(keys) =>
          choose(toTheme(THEMES.find((each) => new Set(keys).has(each))))
        }
        selectedKeys={new Set([chosen])}
        selectionMode="single"
      >
        <Header>{person.email}</Header>
        {LOOKS.map(({ theme: id, name, icon }) => (
          <MenuItem icon={icon} id={id} key={id} name={name} />
        ))}
      </MenuSection>
      <Separator />
      <MenuItem icon={ShieldCheck} id="security" name="Security" />
      <MenuItem icon={LogOut} id="sign-out" name="Sign out" />
    </Menu>
  );
}

/** next-auth's browser code is loaded on first use. */
async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}

function sayStillSignedIn(): void {
  notify("You're still signed in. Check your connection and try again.", "warning");
}
