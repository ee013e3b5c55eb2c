/** `1,234 transactions` */
export function toTransactionCount(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "transaction" : "transactions"}`;
}
