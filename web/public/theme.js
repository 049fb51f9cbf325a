// Puts the chosen theme on the page before anything is painted; src/shell/theme.ts changes it later.
try {
  const chosen = localStorage.getItem("omniforge:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme is the one.
}
