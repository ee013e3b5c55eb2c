import { isDiskFull } from "./failures.ts";
import { Signal } from "./signal.ts";

/** The database refused something because its disk has no room left. */
export const diskFilled = new Signal<null>("disk-filled");

/** Awaits work of the database. If it fails because the disk is full, reports that. */
export async function reportingFullDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDiskFull(error)) {
      diskFilled.report(null);
    }
    throw error;
  }
}
