import { useState } from "react";
import { words } from "#words/shell.ts";
import { loadTheme, saveTheme, showTheme, type Theme, THEMES } from "./theme.ts";

/** Lets the reader choose between light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(loadTheme);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    saveTheme(chosen);
    showTheme(chosen);
  };
  return (
    <label className="theme">
      <span className="unseen">{words.theme}</span>
      <select value={theme} onChange={({ target }) => choose(THEMES[target.selectedIndex] ?? "system")}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {words.themes[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
