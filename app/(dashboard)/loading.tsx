import { Skeleton } from "@heroui/react";

/** The size of what comes, so that nothing jumps. */
export default function Loading() {
  return (
    <div aria-busy="true" aria-label="Loading" className="flex flex-col gap-6" role="status">
      <div className="flex items-center justify-between">
        <Skeleton className="h-7 w-40 rounded-md" />
        <Skeleton className="h-9 w-32 rounded-md" />
      </div>
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}
