// Runs before the first paint, so a page that was switched to dark never flashes white. Not a module: those come later.
try {
  const chosen = localStorage.getItem("wgpt.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's preference holds.
}
