import { Snowflake } from "lucide-react";
import { toCardColors } from "./card-color.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";

/** The look that all cards of an account share. */
export interface CardLook {
  /** The name printed on them. */
  program: string;
  /** `#rrggbb`, or null if each card follows its own design. */
  color: string | null;
}

/** The looks that a card's `design_type` can name; any other text always maps to the same one of them. */
const DESIGNS: Readonly<Record<string, string>> = {
  midnight: "from-[#1b2340] to-[#39447a] text-white",
  sand: "from-[#e9dcc3] to-[#cfb88d] text-[#3a2f1b]",
  forest: "from-[#12382b] to-[#2d6b50] text-white",
  coral: "from-[#8f2f28] to-[#b4553f] text-white",
};
const NAMES = Object.keys(DESIGNS);

function toLook(design: string): string {
  const other = NAMES[(design.length + design.charCodeAt(0)) % NAMES.length] ?? "midnight";
  // `design` is the integrator's text: "constructor" must not find an inherited member.
  return DESIGNS[Object.hasOwn(DESIGNS, design) ? design : other] ?? "";
}

/** A sample card. */
export const SAMPLE_CARD = {
  design: "midnight",
  last4: "4242",
  name: "Jane Doe",
  status: "active",
  valid: "12/30",
} as const;

/** The physical card's face. Freezing covers it with frost; a closed card has no color. */
export function CardFace({
  look,
  name,
  last4,
  valid,
  design,
  status,
}: {
  look: CardLook;
  name: string;
  last4: string;
  valid: string;
  design: string;
  status: CardStatus;
}) {
  const painted = look.color === null ? null : toCardColors(look.color);
  return (
    <div
      aria-label={`${name}'s card ending in ${last4}, expires ${valid}`}
      className={`relative isolate aspect-[1.586] w-full max-w-80 overflow-clip rounded-xl bg-linear-to-br p-5 shadow-sm ${painted ? "" : toLook(design)} ${status === "closed" ? "opacity-70 grayscale" : ""}`}
      role="img"
      style={
        painted
          ? {
              backgroundImage: `linear-gradient(to bottom right, ${painted.from}, ${painted.to})`,
              color: painted.text,
            }
          : undefined
      }
    >
      <div aria-hidden className="flex h-full flex-col justify-between">
        <div className="flex items-start justify-between gap-3">
          <span className="min-w-0 truncate text-sm font-semibold tracking-tight">
            {look.program}
          </span>
          <span className="h-7 w-9 shrink-0 rounded-md bg-linear-to-br from-[#f2dd9a] to-[#c9a24a]" />
        </div>
        <p
          className={`font-mono text-lg tracking-widest ${status === "frozen" ? "relative z-10 font-semibold text-sky-950" : ""}`}
        >{`•••• •••• •••• ${last4}`}</p>
        <div className="flex items-end justify-between gap-3 text-xs">
          <span className="truncate font-medium uppercase">{name}</span>
          <span className="font-mono">{valid}</span>
        </div>
      </div>
      {status === "frozen" && (
        <div
          aria-hidden
          className="absolute inset-0 flex items-start justify-center bg-linear-to-br pt-3 from-white/70 via-sky-100/55 to-sky-200/75 backdrop-blur-[2px]"
        >
          <Snowflake className="size-12 text-sky-700/80" strokeWidth={1.25} />
        </div>
      )}
    </div>
  );
}
