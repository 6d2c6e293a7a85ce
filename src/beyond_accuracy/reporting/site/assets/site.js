// Tables that can be sorted and filtered, the search box, and the change of theme.

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

// Numbers are sorted as such, and what has none comes last in both directions.
function byNumber(sign) {
  return (a, b) => (a === "") - (b === "") || sign * (Number(a) - Number(b));
}
DataTable.ext.type.order["number-asc"] = byNumber(1);
DataTable.ext.type.order["number-desc"] = byNumber(-1);

function columnsOfNumbers(element) {
  const rows = [...element.tBodies[0].rows];
  const width = rows.length ? rows[0].cells.length : 0;
  return [...Array(width).keys()].filter(
    (place) => rows.every((row) => row.cells[place].hasAttribute("data-order")),
  );
}

const isPhone = matchMedia("(max-width: 42rem)").matches;
const pageLength = (element) => (isPhone ? 12 : Number(element.dataset.rows || 100));

const tables = [...document.querySelectorAll("table.data")].map((element) => {
  const rows = element.tBodies[0].rows.length;
  const length = pageLength(element);
  // A last page of a few rows is no help.
  // Nor one that ends amid the lines of a group.
  const grouped = element.dataset.ordering === "false";
  const paging = rows > 1.5 * length && !grouped;
  const table = new DataTable(element, {
    order: [],
    ordering: !grouped,
    autoWidth: false,
    pageLength: length,
    paging,
    info: paging,
    lengthChange: false,
    searching: rows > 7,
    columnDefs: [{ targets: columnsOfNumbers(element), type: "number" }],
    language: { search: "Filter", searchPlaceholder: "" },
  });
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
    document.getElementById(name).scrollIntoView({ block: "center" });
  }
  const target = document.getElementById(name);
  const folded = target?.closest("details");
  if (folded) folded.open = true;
}
addEventListener("hashchange", showTarget);
showTarget();

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

const root = document.body.dataset.root;
const input = document.getElementById("search");
const list = document.getElementById("found");
const index = new MiniSearch({
  fields: ["title", "text"],
  storeFields: ["title", "kind", "url"],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 2 }, combineWith: "AND" },
});
index.addAll(window.SEARCH_INDEX);

let active = -1;
function choose(place) {
  const options = [...list.querySelectorAll("[role=option]")];
  active = options.length ? (place + options.length) % options.length : -1;
  options.forEach((option, number) => option.setAttribute("aria-selected", number === active));
  if (active < 0) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", options[active].id);
  options[active].scrollIntoView({ block: "nearest" });
}
function show(visible) {
  list.hidden = !visible;
  input.setAttribute("aria-expanded", visible);
}

input.addEventListener("input", () => {
  const found = index.search(input.value).slice(0, 12);
  list.replaceChildren(
    ...found.map((entry, number) => {
      const link = Object.assign(document.createElement("a"), { id: `found-${number}`, role: "option" });
      link.href = root + entry.url;
      link.append(Object.assign(document.createElement("small"), { textContent: entry.kind }), " ", entry.title);
      const item = Object.assign(document.createElement("li"), { role: "none" });
      item.append(link);
      return item;
    }),
  );
  if (input.value && !found.length) {
    list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found.", role: "none" }));
  }
  show(Boolean(input.value));
  active = -1;
  input.removeAttribute("aria-activedescendant");
});
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(event.key === "ArrowDown" ? active + 1 : active < 0 ? -1 : active - 1);
  }
  if (event.key === "Enter") {
    const link = list.querySelectorAll("[role=option]")[Math.max(active, 0)];
    if (link && input.value) {
      event.preventDefault();
      show(false);
      link.click();
    }
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    show(false);
    value.hidden = true;
  }
  if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
    event.preventDefault();
    input.focus();
  }
});

document.getElementById("theme").addEventListener("click", () => {
  const page = document.documentElement;
  const dark = page.dataset.theme
    ? page.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  page.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", page.dataset.theme);
});
