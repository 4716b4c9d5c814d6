// Boxes that scroll, on a page with verdicts: their printed lines and tables, and all others.

const BOXES = {
  "div.math :is(mjx-container, .formula)": "formula",
  "span.math": "formula",
  ".pst-scrollable-table-container": "table",
  ".cell_output": "output",
};
const SCROLLS = ", scrolls sideways";

// A box that scrolls sideways can be reached with the keyboard, and says what it holds.
function nameBoxes() {
  for (const [selector, kind] of Object.entries(BOXES)) {
    for (const box of document.querySelectorAll(selector)) {
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", kind + SCROLLS);
      } else if (box.getAttribute("aria-label")?.endsWith(SCROLLS)) {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  }
}

window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise; // a formula has its width when it is set
  nameBoxes();
  window.addEventListener("resize", nameBoxes);
});
