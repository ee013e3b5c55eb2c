/** Time zones by their IANA names, and days in a time zone. */

const DAY_MS = 86_400_000;

/** Names that JavaScript still lists instead of the current ones. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** The current name of a zone; undefined if there is no such zone. */
export function toTimeZone(name: string): string | undefined {
  const current = Object.hasOwn(CURRENT_NAMES, name) ? CURRENT_NAMES[name] : name;
  return listTimeZones().find((each) => each === current);
}

/** A zone's name for people: `America/New York`. */
export function toTimeZoneName(timeZone: string): string {
  return timeZone.replaceAll("_", " ");
}

let listed: readonly string[] | undefined;

/** The current names of all zones in alphabetical order, after `UTC`. */
export function listTimeZones(): readonly string[] {
  listed ??= [
    "UTC",
    ...Intl.supportedValuesOf("timeZone")
      .map((name) => CURRENT_NAMES[name] ?? name)
      .filter((name) => name !== "UTC")
      .toSorted(),
  ];
  return listed;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function toOffsetMs(at: Date, timeZone: string): number {
  if (timeZone === "UTC") {
    return 0;
  }
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  formats.set(timeZone, format);
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  // `GMT-05:00`, or just `GMT`. The seconds in historical offsets are dropped: no list of ours reaches that far back.
  const offset = name.slice("GMT".length, "GMT-05:00".length) || "Z";
  return -Date.parse(`1970-01-01T00:00:00${offset}`);
}

/** The day, such as `2026-01-31`, that a moment belongs to. */
export function toLocalDay(at: Date, timeZone: string): string {
  return toDayText(at.getTime() + toOffsetMs(at, timeZone));
}

/** The day that is a number of days after another, or before it if the number is negative. */
export function addDays(day: string, days: number): string {
  return toDayText(Date.parse(day) + days * DAY_MS);
}

/** A day's first moment. Where clocks skip midnight, that is the moment they skip it. */
export function toDayStart(day: string, timeZone: string): Date {
  return toFirstMoment(Date.parse(day), timeZone);
}

/**
 * The first moment at which a zone's clocks show a date and a time, such as `2026-01-31T10:00`. Undefined for any other
 * text.
 */
export function toLocalMoment(text: string, timeZone: string): Date | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? undefined : toFirstMoment(ms, timeZone);
}

/** The date and time that a zone's clocks show at a moment, to the minute, such as `2026-01-31T10:00`. */
export function toLocalMinute(at: Date, timeZone: string): string {
  return toOffsetTime(at, timeZone).slice(0, "2026-01-31T10:00".length);
}

/** @param local what the clocks show, as milliseconds since their 1970. */
function toFirstMoment(local: number, timeZone: string): Date {
  const offsets = [-DAY_MS, DAY_MS].map((distance) =>
    toOffsetMs(new Date(local + distance), timeZone),
  );
  const [before, after] = offsets.map((offset) => new Date(local - offset));
  const isShown = (at: Date | undefined): at is Date =>
    at !== undefined && at.getTime() + toOffsetMs(at, timeZone) === local;
  const starts = [before, after].filter(isShown);
  const [start = before ?? new Date(local)] = starts.toSorted((a, b) => a.getTime() - b.getTime());
  return start;
}

/** A moment as RFC 3339 on a zone's clocks, such as `2026-01-31T10:00:00.000-05:00`; in UTC it ends with `Z`. */
export function toOffsetTime(at: Date, timeZone: string): string {
  const offset = toOffsetMs(at, timeZone);
  if (timeZone === "UTC") {
    return at.toISOString();
  }
  const local = new Date(at.getTime() + offset).toISOString().slice(0, -1);
  const minutes = Math.abs(offset) / 60_000;
  const parts = [Math.floor(minutes / 60), Math.floor(minutes % 60)];
  return `${local}${offset < 0 ? "-" : "+"}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}

function toDayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, "2026-01-31".length);
}
