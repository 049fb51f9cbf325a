/** Light or dark: the system's, until the user chooses. `public/theme.js` repeats the choice before first paint. */

import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "omniforge:theme";
const listeners = new Set<() => void>();

/** The theme as chosen. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** Shows the theme from now on, and on the next visit. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Shown until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
