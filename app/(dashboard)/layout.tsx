import type { ReactNode } from "react";
import { requireStaffPage } from "../page/staff-page.ts";
import { Shell } from "../shell/shell.tsx";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  return <Shell session={await requireStaffPage()}>{children}</Shell>;
}
