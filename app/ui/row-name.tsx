import type { ReactNode } from "react";

/** A row's name, followed in the same line by a description if there is room. */
export function RowName({ name, about = "" }: { name: ReactNode; about?: string }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <bdi className="min-w-0 truncate font-medium">{name}</bdi>
      {about !== "" && <bdi className="text-muted min-w-0 flex-1 truncate text-xs">{about}</bdi>}
    </span>
  );
}
