import { sql } from "drizzle-orm";
import { openContent } from "#lib/messages/internal/content.ts";
import { testDatabase } from "#test/database/database.ts";

interface Told {
  kind: string;
  role: string;
  /** What it says, line by line. */
  lines: string[];
}

/** What an account's people were told or will be, the oldest first. */
export async function listTold(integratorId: string): Promise<Told[]> {
  const rows = await testDatabase().db.execute<{
    id: string;
    kind: string;
    role: string;
    content: string;
  }>(sql`
    select m.id, m.kind, s.role, m.content from messages m
    join staff s on s.id = m.staff_id and s.integrator_id = m.integrator_id
    where m.integrator_id = ${integratorId} and m.state <> 'withdrawn'
    order by m.created_at, s.role`);
  return rows.map(({ id, kind, role, content }) => {
    const { subject, lines } = openContent(content, id);
    return { kind, role, lines: [subject, ...lines] };
  });
}
