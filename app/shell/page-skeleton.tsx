import type { ReactNode } from "react";
import { Skeleton } from "../ui/skeleton.tsx";

const ROWS = 10;

/** The outline of the page at a path, in the page's size, so that little moves. */
export function PageSkeleton({ path }: { path: string }) {
  return (
    <div aria-busy="true" aria-label="Loading" className="flex flex-col gap-6" role="status">
      {toOutline(path)}
    </div>
  );
}

function toOutline(path: string): ReactNode {
  if (path === "/overview") {
    return <OverviewOutline />;
  }
  if (/^\/cards\/[^/]+$/u.test(path)) {
    return <CardOutline />;
  }
  const isRecord =
    /^\/(?:cardholders|transactions|developers\/(?:events|webhooks\/deliveries))\/[^/]+$/u.test(
      path,
    );
  return isRecord ? <RecordOutline /> : <ListOutline />;
}

function Heading() {
  return (
    <div className="flex h-9 items-center justify-between">
      <Skeleton className="h-7 w-40 rounded-md" />
      <Skeleton className="h-9 w-32 rounded-md" />
    </div>
  );
}

function ListOutline() {
  return (
    <>
      <Heading />
      <div className="border-border bg-surface divide-separator divide-y rounded-lg border">
        <div className="flex h-14 items-center px-4">
          <Skeleton className="h-8 w-64 max-w-full rounded-md" />
        </div>
        {Array.from({ length: ROWS }, (_, row) => (
          <div className="flex h-10 items-center justify-between gap-6 px-4" key={row}>
            <Skeleton className="h-4 w-2/5 rounded" />
            <Skeleton className="h-4 w-1/5 rounded" />
          </div>
        ))}
      </div>
    </>
  );
}

function CardOutline() {
  return (
    <>
      <Skeleton className="-mb-3 h-5 w-36 rounded" />
      <div className="flex flex-col gap-5 md:flex-row md:gap-8">
        <Skeleton className="aspect-[1.586] w-full max-w-80 rounded-xl" />
        <div className="flex flex-1 flex-col gap-4">
          <Skeleton className="h-7 w-48 rounded-md" />
          <Skeleton className="h-12 w-72 max-w-full rounded-md" />
          <Skeleton className="h-9 w-96 max-w-full rounded-md" />
        </div>
      </div>
      <Columns />
    </>
  );
}

function RecordOutline() {
  return (
    <>
      <Skeleton className="-mb-3 h-5 w-36 rounded" />
      <Heading />
      <Columns />
    </>
  );
}

function OverviewOutline() {
  return (
    <>
      <Heading />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[2fr_1fr]">
        {["h-80", "h-80", "h-72", "h-72"].map((height, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Skeleton className={`${height} rounded-lg`} key={index} />
        ))}
      </div>
    </>
  );
}

function Columns() {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_320px]">
      <Skeleton className="h-96 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}
