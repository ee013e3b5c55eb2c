/** What became of a row, and why: whole, in as many lines as it takes. */
export function Reason({ isBad, children }: { isBad: boolean; children: string }) {
  return (
    <span className={`block py-2 whitespace-normal ${isBad ? "text-declined" : "text-muted"}`}>
      {children}
    </span>
  );
}
