// The table of slips can be filtered by note, by cause and by text. Without this script it shows every row.
window.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("table.ledger-slips");
  const rows = [...table.tBodies[0].rows];
  // On a phone rows are set as cards, and would be no table to a screen reader.
  const roles = { tr: "row", td: "cell", th: "columnheader", "thead, tbody": "rowgroup" };
  table.setAttribute("role", "table");
  for (const [part, role] of Object.entries(roles)) {
    for (const one of table.querySelectorAll(part)) one.setAttribute("role", role);
  }
  const texts = (row, column) => [...row.cells[column].querySelectorAll("p > *")].map((one) => one.textContent.trim());
  const select = (name, column) => {
    const choice = document.createElement("select");
    const found = [...new Set(rows.flatMap((row) => texts(row, column)))];
    choice.append(new Option(`every ${name}`, ""), ...found.map((text) => new Option(text)));
    return choice;
  };
  const note = select("note", 0);
  const cause = select("cause", 4);
  const words = Object.assign(document.createElement("input"), { type: "search" });
  const count = Object.assign(document.createElement("output"), { ariaLive: "polite" });
  const form = Object.assign(document.createElement("form"), { className: "ledger-filter" });
  for (const [text, field] of [["Note", note], ["Cause", cause], ["Text", words]]) {
    const label = document.createElement("label");
    label.append(`${text} `, field);
    form.append(label);
  }
  form.append(count);
  const filter = () => {
    const wanted = words.value.trim().toLowerCase();
    for (const row of rows) {
      row.hidden = Boolean(
        (note.value && !texts(row, 0).includes(note.value)) ||
        (cause.value && !texts(row, 4).includes(cause.value)) ||
        !row.textContent.toLowerCase().includes(wanted)
      );
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} slips`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  (table.closest(".scrolls") ?? table).before(form);
  filter();
});
