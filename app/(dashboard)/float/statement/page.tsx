import type { Metadata } from "next";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { findStatement } from "../../../statement/find-statement.ts";
import type { StatementSearch } from "../../../statement/find-statement.ts";
import { StatementView, toStatementTitle } from "../../../statement/statement-view.tsx";
import { Missing } from "../../../page/missing.tsx";

interface Props {
  searchParams: Promise<StatementSearch>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const found = await findStatement(null, await searchParams);
  return { title: found ? toStatementTitle("Float statement", found) : "Float statement" };
}

export default personalPage(FloatStatementPage);

async function FloatStatementPage(_session: unknown, { searchParams }: Props) {
  const search = await searchParams;
  const found = await findStatement(null, search);
  if (!found) {
    return <Missing back={{ href: "/float", name: "Float" }} noun="page" />;
  }
  return (
    <>
      <Breadcrumb list="/float" name="Float">
        Statement
      </Breadcrumb>
      <StatementView
        exportPath="/api/exports/float-statement"
        found={found}
        path="/float/statement"
        search={search}
        title="Float statement"
      />
    </>
  );
}
