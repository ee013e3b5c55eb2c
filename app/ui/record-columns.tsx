import type { ReactNode } from "react";

/** The two columns of a record: beside each other where there is room, below each other in a panel or on a phone. */
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
