/** Light, dark, or the system's preference. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "floatdeck.theme";

const YEAR_S = 31_536_000;

export function toTheme(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

/** Sets the theme that the system prefers, and follows it, unless the person has chosen a theme. */
export const THEME_SCRIPT = `(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    if (!/${THEME_COOKIE}=(light|dark)/.test(document.cookie)) {
      document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
    }
  };
  dark.addEventListener("change", follow);
  follow();
})()`;

/** Shows a theme at once and remembers it for this browser. */
export function chooseTheme(theme: Theme): void {
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
  show(theme);
}

/** Applies the chosen theme to a page that the browser rendered itself: only the server's pages contain the script. */
export function restoreTheme(): void {
  show(toTheme(new RegExp(`${THEME_COOKIE}=(\\w+)`, "u").exec(document.cookie)?.[1]));
}

function show(theme: Theme): void {
  const isDark =
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}
