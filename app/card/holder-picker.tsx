"use client";

import { Label, ListBox, Modal, SearchField, Skeleton } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { ProblemAlert } from "../client/problem-alert.tsx";
import { HolderForm } from "./holder-form.tsx";
import type { Holder } from "./holder.ts";
import { OPERATIONS } from "../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

const SHOWN = "8";

/** Chooses a registered cardholder, or registers one. */
export function HolderPicker({
  onPick,
  onCancel,
}: {
  onPick: (holder: Holder) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState("");
  const [isNew, setNew] = useState(false);
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
  if (isNew) {
    return <HolderForm onCancel={() => setNew(false)} onRegistered={onPick} />;
  }
  return (
    <>
      <Modal.Body className="flex flex-col gap-3">
        <SearchField autoFocus fullWidth onChange={setText} value={text}>
          <Label>Cardholder</Label>
          <SearchField.Group>
            <SearchField.SearchIcon />
            <SearchField.Input placeholder="Search by name or email" />
            <SearchField.ClearButton />
          </SearchField.Group>
        </SearchField>
        {users.isPending && <Skeleton className="h-40 rounded-lg" />}
        {users.data && <Found onPick={onPick} users={users.data.data} />}
        <ProblemAlert error={users.error} />
      </Modal.Body>
      <Modal.Footer>
        <Button className="mr-auto" onPress={() => setNew(true)} variant="secondary">
          <UserPlus aria-hidden />
          New cardholder
        </Button>
        <Button onPress={onCancel} variant="tertiary">
          Cancel
        </Button>
      </Modal.Footer>
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
      className="border-border max-h-64 overflow-y-auto rounded-lg border"
      onAction={pick}
      renderEmptyState={() => <p className="text-muted p-4 text-center">No cardholders found.</p>}
      selectionMode="none"
    >
      {users.map((user) => (
        <ListBox.Item id={user.id} key={user.id} textValue={toName(user)}>
          <span className="flex min-w-0 flex-col leading-tight">
            <span>{toName(user)}</span>
            <span className="text-muted truncate text-xs">{user.email}</span>
          </span>
        </ListBox.Item>
      ))}
    </ListBox>
  );
}

function toName(user: User): string {
  return `${user.first_name} ${user.last_name}`;
}
