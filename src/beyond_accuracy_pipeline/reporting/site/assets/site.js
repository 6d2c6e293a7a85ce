// The search box.

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
  if (event.key === "Escape") show(false);
  if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
    event.preventDefault();
    input.focus();
  }
});
