/** The outcome of a row and its reason, untruncated. */
export function Reason({ isBad, children }: { isBad: boolean; children: string }) {
  return (
    <span className={`block py-2 whitespace-normal ${isBad ? "text-declined" : "text-muted"}`}>
      {children}
    </span>
  );
}
