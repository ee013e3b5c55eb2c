/** The heading of a printed page: the account and the document. On screen, the page's frame shows both. */
export function Letterhead({ businessName, title }: { businessName: string; title: string }) {
  return (
    <div className="border-foreground hidden items-baseline justify-between gap-6 border-b pb-2 print:flex">
      <bdi className="font-semibold">{businessName}</bdi>
      <span className="text-muted">{title}</span>
    </div>
  );
}
