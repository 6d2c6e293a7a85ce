// Before the first paint, so that a chosen theme does not flash. Pages opened as files may have no storage.
const page = document.documentElement;
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) page.dataset.theme = chosen;
} catch {}

addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme").addEventListener("click", () => {
    const dark = page.dataset.theme
      ? page.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    page.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("theme", page.dataset.theme);
    } catch {}
  });
});
