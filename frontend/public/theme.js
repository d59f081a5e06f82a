// Chooses light or dark before the first paint. The page allows no inline scripts, so this is a file of its own.
(function () {
  var choice = "auto";
  try {
    choice = window.localStorage.getItem("heddle.theme") || "auto";
  } catch {
    // Storage may be forbidden; the system's choice is used then.
  }
  var dark =
    choice === "dark" || (choice !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
