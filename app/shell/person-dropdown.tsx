"use client";

import { Button as TriggerButton, Dropdown, Header, Label, Separator } from "@heroui/react";
import { LogOut, Monitor, Moon, ShieldCheck, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { mayLeave } from "../client/unsaved-changes.ts";
import { notify } from "../client/notice-store.ts";
import { chooseTheme, THEMES, toTheme } from "../ui/theme.ts";
import type { Theme } from "../ui/theme.ts";
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
    <Dropdown defaultOpen>
      <TriggerButton
        className={folded ? "" : "h-11 w-full justify-start px-1.5"}
        isIconOnly={folded}
        variant="ghost"
      >
        <PersonBadge folded={folded} person={person} />
      </TriggerButton>
      <Dropdown.Popover className="min-w-56" placement="top start">
        <Dropdown.Menu aria-label="Account menu" onAction={(key) => act(String(key))}>
          <Dropdown.Section
            onSelectionChange={(keys) =>
              choose(toTheme(THEMES.find((each) => new Set(keys).has(each))))
            }
            selectedKeys={new Set([chosen])}
            selectionMode="single"
          >
            <Header>{person.email}</Header>
            {LOOKS.map(({ theme: id, name, icon: Icon }) => (
              <Dropdown.Item id={id} key={id} textValue={name}>
                <Icon aria-hidden className="size-4" />
                <Label>{name}</Label>
                <Dropdown.ItemIndicator />
              </Dropdown.Item>
            ))}
          </Dropdown.Section>
          <Separator />
          <Dropdown.Item id="security" textValue="Security">
            <ShieldCheck aria-hidden className="size-4" />
            <Label>Security</Label>
          </Dropdown.Item>
          <Dropdown.Item id="sign-out" textValue="Sign out">
            <LogOut aria-hidden className="size-4" />
            <Label>Sign out</Label>
          </Dropdown.Item>
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
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
