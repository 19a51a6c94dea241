// A form that is sent once, however often its button is pressed; one that says so when the server was not reached.

for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button");
  form.addEventListener("submit", (event) => {
    button.disabled = true;
    if (form.dataset.unreachable && form.method === "post") post(event, form, button);
  });
  window.addEventListener("pageshow", () => { button.disabled = false; });
}

/** The browser's own error page would not tell whether it was done. */
async function post(event, form, button) {
  event.preventDefault();
  const notice = form.querySelector(".notice");
  try {
    const response = await fetch(form.action, { method: "POST" });
    if (!response.ok) throw new Error(String(response.status));
    location.assign(response.url);
  } catch {
    notice.textContent = form.dataset.unreachable;
    notice.classList.add("shown");
    button.disabled = false;
  }
}
