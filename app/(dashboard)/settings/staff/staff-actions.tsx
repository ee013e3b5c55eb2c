"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { Subject } from "./staff-acts.ts";

interface Props {
  subject: Subject;
  isSelf: boolean;
  isFirstFocused: boolean;
}

// The menu's code is loaded when it is opened, or about to be.
const StaffMenu = fetched(
  () => import("./staff-menu.tsx").then((loaded) => loaded.StaffMenu),
  ({ subject }: Props) => <StaffButton disabledReason={null} name={subject.name} />,
);

/** The actions on one member of staff. */
export function StaffActions({
  isSelf,
  disabledReason,
  ...subject
}: Subject & { isSelf: boolean; disabledReason: string | null }) {
  const [asked, setAsked] = useState<"press" | "arrow" | null>(null);
  return asked ? (
    <StaffMenu isFirstFocused={asked === "arrow"} isSelf={isSelf} subject={subject} />
  ) : (
    <StaffButton
      disabledReason={disabledReason}
      name={subject.name}
      onFocus={StaffMenu.preload}
      onPointerEnter={StaffMenu.preload}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" && disabledReason === null) {
          event.preventDefault();
          setAsked("arrow");
        }
      }}
      onPress={() => setAsked("press")}
    />
  );
}

function StaffButton({
  name,
  ...button
}: { name: string } & Pick<
  ComponentProps<typeof GuardedButton>,
  "disabledReason" | "onFocus" | "onKeyDown" | "onPointerEnter" | "onPress"
>) {
  return (
    <GuardedButton
      {...button}
      aria-label={`Actions for ${name}`}
      isIconOnly
      size="sm"
      variant="ghost"
    >
      <Ellipsis aria-hidden />
    </GuardedButton>
  );
}
