import type { Metadata } from "next";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { findStatement } from "../../../../statement/find-statement.ts";
import type { FoundStatement, StatementSearch } from "../../../../statement/find-statement.ts";
import { StatementView, toStatementTitle } from "../../../../statement/statement-view.tsx";
import { toCardTitle } from "../../../../ui/card-title.ts";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<StatementSearch>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const found = await findStatement((await params).id, await searchParams);
  return found ? { title: toStatementTitle(toTitle(found), found) } : MISSING;
}

export default personalPage(CardStatementPage);

async function CardStatementPage(_session: unknown, { params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const found = await findStatement(id, search);
  if (!found?.card) {
    return <Missing back={{ href: "/cards", name: "All cards" }} noun="card" />;
  }
  const path = `/cards/${found.card.id}`;
  return (
    <>
      <Breadcrumb
        list="/cards"
        name="Cards"
        record={{ href: path, name: `•••• ${found.card.last4}` }}
      >
        Statement
      </Breadcrumb>
      <StatementView
        exportPath={`/api/exports${path}/statement`}
        found={found}
        path={`${path}/statement`}
        search={search}
        title={toTitle(found)}
      />
    </>
  );
}

function toTitle({ card }: FoundStatement): string {
  return card ? `Statement of ${toCardTitle(card.cardName, card.last4)}` : "Statement";
}
