/** The brand that the page shows: the workspace's, once somebody is signed in. Outside of React, for announcements. */

import { useSyncExternalStore } from "react";
import { brandTokens, DARK, LIGHT, type Theme } from "./brandColors";

export interface Brand {
  /** What the assistant is called. */
  name: string;
  color: string | null;
  /** An image as a `data:` address. */
  logo: string | null;
  /** What an empty chat says first; empty: the page's own words. */
  greeting: string;
}

export const OWN_BRAND: Brand = { name: "OmniForge", color: null, logo: null, greeting: "" };

let shown = OWN_BRAND;
const listeners = new Set<() => void>();

export const assistantName = (): string => shown.name;

export function showBrand(brand: Brand): void {
  if (JSON.stringify(brand) === JSON.stringify(shown)) return;
  shown = brand;
  showColor(brand.color);
  for (const listener of listeners) listener();
}

export function useBrand(): Brand {
  return useSyncExternalStore(subscribe, () => shown);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let sheet: CSSStyleSheet | null = null;

/** A sheet that a script constructs is allowed by the page's policy, which forbids styles within the page. */
function showColor(color: string | null): void {
  if (color === null && sheet === null) return;
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(color === null ? "" : rulesFor(color));
}

function rulesFor(color: string): string {
  const tokens = (theme: Theme) =>
    Object.entries(brandTokens(color, theme))
      .map(([name, value]) => `${name}: ${value};`)
      .join(" ");
  return `:root { ${tokens(LIGHT)} }
:root[data-theme="dark"] { ${tokens(DARK)} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${tokens(DARK)} } }`;
}
