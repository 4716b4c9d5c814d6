// What the pages of this book need beside its theme, on paper, for downloads, and for the theme's buttons.

// On paper nothing is dark. What the reader has not opened stays closed, see book.css.
window.addEventListener("beforeprint", () => {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = "light";
  window.addEventListener("afterprint", () => (dataset.theme = theme), { once: true });
});

// The notebook is saved under its name, whatever type the server gives it.
window.addEventListener("DOMContentLoaded", () => {
  for (const link of document.querySelectorAll(".btn-download-source-button")) link.download = "";
});

// The theme's buttons call these from an attribute, which the policy of the page does not allow: see tools/book/frame_ext.py.
const CLICKS = { fullscreen: () => window.toggleFullScreen(), print: () => window.print() };
window.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("[data-click]")) {
    button.addEventListener("click", CLICKS[button.dataset.click]);
  }
});

// What a reader can try is loaded when the reader first comes to it: see `later` in tools/book/live_ext.py.
const load = ({ currentTarget: { dataset } }) => {
  for (const address of dataset.later?.split(" ") ?? []) {
    const style = address.includes(".css");
    const file = style ? { rel: "stylesheet", href: address } : { src: address };
    document.head.append(Object.assign(document.createElement(style ? "link" : "script"), file));
  }
  delete dataset.later;
};
window.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[data-later]")) {
    for (const event of ["pointerover", "focusin", "input", "toggle"]) place.addEventListener(event, load, true);
  }
});
