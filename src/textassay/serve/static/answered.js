// In place of a page that was answered before. Who has only loaded it again, while its answer was on its way, goes on.

if (performance.getEntriesByType("navigation")[0]?.type === "reload") {
  location.replace(document.querySelector("main a.button").href);
}
