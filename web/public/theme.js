// Applies the chosen theme before the first paint; src/shell/theme.ts changes it later.
try {
  const chosen = localStorage.getItem("omniforge:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme applies.
}
