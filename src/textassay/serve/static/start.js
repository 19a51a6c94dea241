// A form that is sent once, however often its button is pressed.

for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button");
  form.addEventListener("submit", () => { button.disabled = true; });
  window.addEventListener("pageshow", () => { button.disabled = false; });
}
