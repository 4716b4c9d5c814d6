// What the pages of this book need beside its theme, on paper and for downloads.

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
