"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { ListBox } from "react-aria-components/ListBox";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { DialogBody, DialogFooter } from "../ui/dialog.tsx";
import { ListItem } from "../ui/list-item.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ProblemAlert } from "../client/problem-alert.tsx";
import type { Holder } from "./holder.ts";
import { OPERATIONS } from "../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

const SHOWN = "8";

/** Chooses a registered cardholder. */
export function HolderPicker({
  onPick,
  onNew,
  onCancel,
}: {
  onPick: (holder: Holder) => void;
  onNew: () => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState("");
  const search = text.trim();
  const users = useQuery({
    queryKey: ["users", search],
    queryFn: ({ signal }) =>
      callApi(
        OPERATIONS.listUsers,
        { query: { limit: SHOWN, archived: "false", search: search || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <DialogBody>
        <SearchField
          autoFocus
          label="Cardholder"
          onChange={setText}
          placeholder="Search cardholders by name or email"
          value={text}
        />
        {users.isPending && <Skeleton className="h-40" />}
        {users.data && <Found onPick={onPick} users={users.data.data} />}
        <ProblemAlert error={users.error} />
      </DialogBody>
      <DialogFooter>
        <Button className="mr-auto" onPress={onNew} variant="secondary">
          <UserPlus aria-hidden />
          New cardholder
        </Button>
        <Button onPress={onCancel} variant="secondary">
          Cancel
        </Button>
      </DialogFooter>
    </>
  );
}

type User = AnswerOf<typeof OPERATIONS.listUsers>["data"][number];

function Found({ users, onPick }: { users: readonly User[]; onPick: (holder: Holder) => void }) {
  const pick = (key: unknown) => {
    const user = users.find(({ id }) => id === key);
    if (user) {
      onPick({ id: user.id, name: toName(user) });
    }
  };
  return (
    <ListBox
      aria-label="Cardholders"
      className="menu max-h-64 overflow-y-auto rounded-lg border"
      onAction={pick}
      renderEmptyState={() => <p className="text-muted p-4 text-center">No cardholders found.</p>}
      selectionMode="none"
    >
      {users.map((user) => (
        <ListItem detail={user.email} id={user.id} key={user.id} name={toName(user)} />
      ))}
    </ListBox>
  );
}

function toName(user: User): string {
  return `${user.first_name} ${user.last_name}`;
}
