// What the frame of a page does with a script: its theme, its search, the copies of code.

// The theme that the reader chose is read in the head of the page, before anything is drawn.
document.querySelector(".bar .theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches && "dark")) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.theme = root.dataset.theme;
});

// Contents and search open below the bar; search has the keyboard at once, and Escape closes both.
const finder = document.querySelector(".bar .finder");
finder.addEventListener("toggle", () => finder.open && finder.querySelector("input").focus());
document.addEventListener("keydown", (event) => {
  const opened = document.querySelector(".bar details[open]");
  if (event.key === "Escape" && opened) {
    opened.open = false;
    opened.querySelector("summary").focus();
  } else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    finder.open = true;
    finder.querySelector("input").focus();
  }
});
document.addEventListener("click", (event) => {
  for (const opened of document.querySelectorAll(".bar details[open]")) {
    if (!opened.contains(event.target)) opened.open = false;
  }
});

// Code can be copied.
for (const code of document.querySelectorAll(".cell_input .highlight, .highlight-sh > .highlight")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copybtn", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.querySelector("pre").textContent.trimEnd());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  code.append(button);
}

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
