// What needs a script on the page: boxes that scroll, and what is printed.

const BOXES = {
  "mjx-container": "formula",
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

// On paper nothing is hidden behind a button; the toggle buttons see to their own boxes.
window.addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll("details.hide")) box.open = true;
});
