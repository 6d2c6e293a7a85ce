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

for (const element of document.querySelectorAll("table.data")) {
  const rows = element.querySelectorAll("tbody tr").length;
  const length = Number(element.dataset.pageLength || 50);
  const table = new DataTable(element, {
    order: [],
    autoWidth: false,
    pageLength: length,
    paging: rows > length,
    info: rows > length,
    lengthChange: false,
    searching: rows > 7,
    language: { search: "Filter", searchPlaceholder: "" },
  });
  table.on("draw", () => hideRepeatedGroups(table));
  hideRepeatedGroups(table);
}

const root = document.body.dataset.root;
const input = document.getElementById("search");
const list = document.getElementById("found");
const index = new MiniSearch({
  fields: ["title", "text"],
  storeFields: ["title", "kind", "url"],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 2 }, combineWith: "AND" },
});
index.addAll(window.SEARCH_INDEX);

input.addEventListener("input", () => {
  const found = index.search(input.value).slice(0, 12);
  list.replaceChildren(
    ...found.map((entry) => {
      const link = document.createElement("a");
      link.href = root + entry.url;
      link.append(Object.assign(document.createElement("small"), { textContent: entry.kind }), " ", entry.title);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  if (input.value && !found.length) {
    list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  }
  list.hidden = !input.value;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") list.hidden = true;
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
