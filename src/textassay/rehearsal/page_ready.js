// Waits until a participant's page can be pictured, and tells the text on it.
//
// A page with a form is ready when its script has enabled the button. A text that is shown piece by piece waits for a
// press: it gets one, so that the picture shows reading and not the prompt before it.
new Promise((resolve) => {
  const frames = (then) => requestAnimationFrame(() => requestAnimationFrame(then));

  function tell() {
    document.activeElement?.blur();
    for (const aloud of document.querySelectorAll(".unseen")) aloud.remove(); // said a second time, to be heard
    frames(() => resolve(document.querySelector("main").innerText));
  }

  function look() {
    const button = document.querySelector("#answer button[type=submit]");
    const paced = document.querySelector("[data-state]");
    if (button?.disabled || paced?.dataset.state === "waiting") {
      setTimeout(look, 20);
      return;
    }
    const press = paced?.querySelector("[role=button]");
    const images = [...document.images].map((image) => image.decode().catch(() => {}));
    Promise.all([document.fonts.ready, ...images]).then(() => frames(() => {
      press?.click();
      tell();
    }));
  }

  look();
})
