// Contrast is measured once for each look of a text: axe takes three quarters of its time for that rule, and most of
// the texts on a page are drawn in the same few ways. A look is all that contrast depends on: colour, size and weight
// of the letters, and everything behind them.
() => {
  const mark = "data-first-of-its-look";
  const nothing = "rgba(0, 0, 0, 0);none;1;none;";
  const layers = new Map([[null, ""]]);
  const behind = (element) => {
    if (!layers.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element);
      // What is moved may lie over something else than its ancestors, so each kind of it is a look of its own.
      const moved = position === "static" ? "" : `${element.tagName}.${element.getAttribute("class")}`;
      const own = [backgroundColor, backgroundImage, opacity, filter, moved].join(";");
      const above = behind(element.parentElement);
      layers.set(element, own === nothing ? above : `${above} | ${own}`);
    }
    return layers.get(element);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const isShown = (element) => element.getClientRects().length > 0;
  document.querySelectorAll(`[${mark}]`).forEach((element) => element.removeAttribute(mark));
  const seen = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    if (element.matches("input, select, textarea") || (hasText(element) && isShown(element))) {
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      const look = [color, fontSize, fontWeight, textShadow, behind(element)].join(" ");
      if (!seen.has(look)) {
        seen.add(look);
        element.setAttribute(mark, "");
      }
    }
  }
  axe.configure({ rules: [{ id: "color-contrast", selector: `[${mark}]` }] });
  return seen.size;
}
