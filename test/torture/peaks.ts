/** Answers which of many items that happened before a moment has the greatest value, without reading them all again. */
export class Peaks<Item> {
  private readonly moments: number[];
  /** For each item, by moment, the one with the greatest value up to it. */
  private readonly greatest: { item: Item; value: number }[] = [];

  constructor(
    items: readonly Item[],
    toMoment: (item: Item) => number,
    toValue: (item: Item) => number,
  ) {
    const sorted = items.toSorted((a, b) => toMoment(a) - toMoment(b));
    this.moments = sorted.map(toMoment);
    for (const item of sorted) {
      const value = toValue(item);
      const before = this.greatest.at(-1);
      this.greatest.push(before && before.value >= value ? before : { item, value });
    }
  }

  /** Null when nothing happened before the moment. */
  before(moment: number): { item: Item; value: number } | null {
    let [low, high] = [0, this.moments.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.moments[middle] ?? 0) < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return this.greatest[low - 1] ?? null;
  }
}
