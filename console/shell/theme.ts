/** Light and dark, or as the reader's system has it. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "cairn.theme";

/** Loads the theme that this browser keeps. */
export function loadTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function saveTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
}

export function showTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}
