/** Remembers in this browser whether the side bar is folded away. */
export const FOLDED_COOKIE = "floatdeck.folded";

const YEAR_S = 31_536_000;

export function rememberFold(folded: boolean): void {
  document.cookie = `${FOLDED_COOKIE}=${folded ? "1" : "0"}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
