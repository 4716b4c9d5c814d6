// What needs a script on the page: boxes that scroll, and what is printed.

const BOXES = {
  "div.math mjx-container": "formula",
  "span.math": "formula",
  ".pst-scrollable-table-container": "table",
  ".cell_output": "output",
};

// A box that scrolls sideways can be reached with the keyboard, and says what it holds.
function nameBoxes() {
  for (const [selector, kind] of Object.entries(BOXES)) {
    for (const box of document.querySelectorAll(`.bd-article ${selector}`)) {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", `${kind}, scrolls sideways`);
      } else if (box.getAttribute("role") === "region") {
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

// On paper nothing is hidden behind a button, and nothing is dark. The other buttons see to their own boxes.
window.addEventListener("beforeprint", () => {
  const { dataset } = document.documentElement;
  const closed = document.querySelectorAll("details.hide:not([open])");
  const { theme } = dataset;
  for (const box of closed) box.open = true;
  dataset.theme = "light";
  window.addEventListener("afterprint", () => {
    for (const box of closed) box.open = false;
    dataset.theme = theme;
  }, { once: true });
});

// The notebook is saved under its name, whatever type the server gives it.
window.addEventListener("DOMContentLoaded", () => {
  for (const link of document.querySelectorAll(".btn-download-source-button")) link.download = "";
});
