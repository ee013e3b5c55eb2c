/** More connections than this are not worth their memory. */
const CONNECTIONS_MAX = 4_096;

/**
 * The most connections that the edge keeps open: at most half of the process's limit of open files. The rest is for
 * the database, the pages, receivers of webhooks, and files.
 */
export function readConnectionsMax(): number {
  return toConnectionsMax(readOpenFilesMax());
}

/** @param openFilesMax the limit of open files; Infinity where there is none. */
export function toConnectionsMax(openFilesMax: number): number {
  return Math.min(CONNECTIONS_MAX, Math.floor(openFilesMax / 2));
}

/** Node raises its soft limit to the hard one when it starts, and exposes it only in a diagnostic report. */
function readOpenFilesMax(): number {
  const report: { userLimits?: { open_files?: { soft: number | "unlimited" } } } =
    process.report.getReport();
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Infinity;
}
