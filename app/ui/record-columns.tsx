import type { ReactNode } from "react";

/**
 * The two columns of a record: side by side if there is room, otherwise, as in a panel or on a phone, one below the
 * other.
 */
export function RecordColumns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className="record-column @container">
      <div className="record-column grid grid-cols-1 items-start gap-6 @[46rem]:grid-cols-[1fr_340px]">
        <div className="record-column flex min-w-0 flex-col gap-6">{main}</div>
        <div className="record-column flex min-w-0 flex-col gap-6">{side}</div>
      </div>
    </div>
  );
}
