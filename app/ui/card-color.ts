const CHANNEL_MAX = 255;
const HALF = 0.5;

/** How much the card's far end differs from its color, toward black or white. */
const SHADE = 0.22;

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [CHANNEL_MAX, CHANNEL_MAX, CHANNEL_MAX];

/**
 * The colors of a drawn card: its two ends and its text. The text is black or white, whichever contrasts more, and the
 * far end moves away from it, so that the contrast is at least 4.5 (WCAG AA) everywhere on the card.
 * @param color `#rrggbb`.
 */
export function toCardColors(color: string): { from: string; to: string; text: string } {
  const base = toRgb(color);
  const text = contrast(base, WHITE) >= contrast(base, BLACK) ? WHITE : BLACK;
  const away = text === WHITE ? BLACK : WHITE;
  return { from: toHex(base), to: toHex(mix(base, away, SHADE)), text: toHex(text) };
}

/** The contrast ratio of two colors, 1 … 21 (WCAG 2.2). */
export function toContrast(one: string, other: string): number {
  return contrast(toRgb(one), toRgb(other));
}

function contrast(one: Rgb, other: Rgb): number {
  const lights = [toLuminance(one), toLuminance(other)];
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function toLuminance([red, green, blue]: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function toLinear(channel: number): number {
  const value = channel / CHANNEL_MAX;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function mix([red, green, blue]: Rgb, [r, g, b]: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => Math.floor(from + (to - from) * share + HALF);
  return [between(red, r), between(green, g), between(blue, b)];
}

function toRgb(color: string): Rgb {
  const at = (index: number) => Number.parseInt(color.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
