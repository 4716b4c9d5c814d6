// The squares of the front page are one stop of the Tab key; arrow keys lead on, along a row or to the next one.
window.addEventListener("DOMContentLoaded", () => {
  for (const strip of document.querySelectorAll(".ledger-strip")) {
    const squares = [...strip.querySelectorAll("a")];
    squares.forEach((square, i) => { square.tabIndex = i ? -1 : 0; });
    strip.addEventListener("keydown", (event) => {
      const at = squares.indexOf(event.target);
      const row = squares.findIndex((square) => square.offsetTop > squares[0].offsetTop);
      const below = row < 0 ? squares.length : row;
      const last = squares.length - 1;
      const next = {
        ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + below, ArrowUp: at - below, Home: 0, End: last,
      }[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      if (!squares[next]) return;
      squares[at].tabIndex = -1;
      squares[next].tabIndex = 0;
      squares[next].focus();
    });
  }
});
