// Tables that can be sorted and filtered, and the values of marks in figures.

function hideRepeatedGroups(table) {
  // Rows of one group share the look of a heading while the table is in its own order.
  const sorted = table.order().length > 0;
  const columns = table.table().node().querySelectorAll("tbody tr:first-child th").length;
  let before = [];
  for (const row of table.table().node().querySelectorAll("tbody tr")) {
    const headings = [...row.querySelectorAll("th")];
    let same = !sorted && columns > 1;
    headings.forEach((cell, place) => {
      same = same && before[place] === cell.textContent && place < columns - 1;
      cell.classList.toggle("repeated", same);
    });
    before = headings.map((cell) => cell.textContent);
  }
}

// Numbers are sorted as such, texts with the numbers in them, and what is empty comes last in both directions.
function emptyLast(compare) {
  const inOrder = (sign) => (a, b) => (a === "") - (b === "") || sign * compare(a, b);
  return { asc: inOrder(1), desc: inOrder(-1) };
}
const NUMBER = /^[<>≤≥]?\s*([+\-−]?)(\d[\d,]*(?:\.\d+)?|\.\d+)(?:e([+\-−]?\d+))?/;
function numberOf(text) {
  const found = NUMBER.exec(text.trim());
  if (!found) return "";
  const number = Number(`${found[2].replaceAll(",", "")}e${(found[3] ?? "0").replace("−", "-")}`);
  // A name may begin like a number that is too large.
  if (!Number.isFinite(number)) return "";
  return found[1] && found[1] !== "+" ? -number : number;
}
const markup = DataTable.type("html");
const texts = new Intl.Collator("en", { numeric: true });
DataTable.type("number", {
  order: { pre: (text) => numberOf(markup.order.pre(String(text))), ...emptyLast((a, b) => a - b) },
});
DataTable.type("text", {
  order: { pre: markup.order.pre, ...emptyLast(texts.compare) },
  search: markup.search,
});

// A column holds numbers if at least half of its filled cells begin with one.
function columnsOfNumbers(element) {
  const rows = [...element.tBodies[0].rows];
  const width = rows.length ? rows[0].cells.length : 0;
  return [...Array(width).keys()].filter((place) => {
    const filled = rows.map((row) => row.cells[place].dataset.order ?? row.cells[place].textContent)
      .filter((text) => text.trim());
    return filled.length > 0 && 2 * filled.filter((text) => numberOf(text) !== "").length >= filled.length;
  });
}

// On a phone each cell of a card says which column it is of.
function labelCells(element) {
  const heads = [...element.tHead.rows].at(-1).cells;
  for (const row of element.tBodies[0].rows) {
    if (row.cells.length !== heads.length) continue;
    [...row.cells].forEach((cell, place) => (cell.dataset.label ??= heads[place].textContent.trim()));
  }
}
for (const element of document.querySelectorAll("table.cards")) labelCells(element);

// One value of a column, of which some are parts of others: "reproduced", "not reproduced".
function addChoice(table, place) {
  const column = table.column(place);
  const name = column.header().textContent.trim();
  const texts = column.nodes().toArray().map((cell) => cell.textContent.trim());
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", name);
  choice.add(new Option(`${name}: all`, ""));
  for (const text of new Set(texts)) choice.add(new Option(text, text));
  choice.addEventListener("change", () => {
    column.search((_, data, row) => !choice.value || texts[row] === choice.value).draw();
  });
  table.table().container().querySelector(".dt-search").prepend(choice);
}

const isPhone = matchMedia("(max-width: 42rem)").matches;
if (isPhone) for (const long of document.querySelectorAll("details.long")) long.open = false;
const pageLength = (element) => (isPhone ? 12 : Number(element.dataset.rows || 100));

const tables = [...document.querySelectorAll("table.data")].map((element) => {
  const rows = element.tBodies[0].rows.length;
  const length = pageLength(element);
  // A last page of a few rows is no help.
  // Nor one that ends amid the lines of a group.
  const grouped = element.dataset.ordering === "false";
  const paging = rows > 1.5 * length && !grouped;
  const searching = rows > 7;
  const table = new DataTable(element, {
    order: [],
    ordering: !grouped,
    autoWidth: false,
    pageLength: length,
    paging,
    info: paging,
    lengthChange: false,
    searching,
    search: { smart: false },
    columnDefs: [
      { targets: columnsOfNumbers(element), type: "number" },
      { targets: "_all", type: "text" },
    ],
    language: { search: "Filter", searchPlaceholder: "" },
  });
  if (searching && element.dataset.choice) addChoice(table, Number(element.dataset.choice));
  table.on("draw", () => hideRepeatedGroups(table));
  hideRepeatedGroups(table);
  return table;
});

// A row that is linked to may be on another page of its table.
function showTarget() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name) return;
  for (const table of tables) {
    const place = table.rows({ order: "applied" }).nodes().toArray().findIndex((row) => row.id === name);
    if (place < 0) continue;
    if (table.page.len() > 0) table.page(Math.floor(place / table.page.len())).draw("page");
  }
  const target = document.getElementById(name);
  // A row that was on another page when the address changed is no :target.
  for (const row of document.querySelectorAll("tr.target")) row.classList.remove("target");
  const folded = target?.closest("details") ?? target?.querySelector("details.long");
  if (folded) folded.open = true;
  if (!target?.matches("tr")) return;
  target.classList.add("target");
  target.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", showTarget);
// The browser itself jumps when all is loaded.
addEventListener("load", showTarget);

// Paper has no pages of a table and nothing to unfold.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
  for (const table of tables) table.page.len(-1).draw();
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
  for (const table of tables) {
    table.page.len(pageLength(table.table().node())).draw();
  }
});

// What a mark says, also where nothing hovers: a click or a touch shows it.
const value = Object.assign(document.createElement("div"), { className: "value", hidden: true });
document.body.append(value);
function showValue(event) {
  const mark = event.target.closest?.("figure.picture svg *");
  const named = mark?.closest(":has(> title)");
  value.hidden = !named;
  if (!named) return;
  value.textContent = named.querySelector(":scope > title").textContent;
  value.style.left = `${Math.min(event.clientX + 12, innerWidth - 200)}px`;
  value.style.top = `${event.clientY + 12}px`;
}
for (const kind of ["pointerover", "pointerdown"]) document.addEventListener(kind, showValue);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") value.hidden = true;
});
