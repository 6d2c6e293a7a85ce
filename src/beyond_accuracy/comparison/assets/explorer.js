"use strict";

// Precision, recall and so on of a curve at one of its thresholds. 0/0 counts as 0.
function pointOf(curve, place) {
  const ratio = (part, whole) => (whole > 0 ? part / whole : 0);
  const tp = curve.tp[place];
  const fp = curve.fp[place];
  const fn = curve.positives - tp;
  return {
    threshold: curve.thresholds[place],
    tp,
    fp,
    fn,
    tn: curve.negatives - fp,
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
    predicted: tp + fp,
    cost: curve.cost ? curve.cost[place] : null,
  };
}

// Whether the constraint of a curve holds at a point; null without a constraint.
function meets(curve, point) {
  if (!curve.constraint) return null;
  return point[curve.constraint.quantity] >= curve.constraint.bound - 1e-12;
}

// First and last places of the runs of thresholds that meet the constraint.
function regions(curve, points) {
  const runs = [];
  points.forEach((point, place) => {
    if (!meets(curve, point)) return;
    const last = runs[runs.length - 1];
    if (last && last[1] === place - 1) last[1] = place;
    else runs.push([place, place]);
  });
  return runs;
}

// An SVG path through values between 0 and 1, over a width of 100 and a height of 50.
function pathOf(values) {
  const step = 100 / Math.max(values.length - 1, 1);
  return values
    .map((value, place) => `${place ? "L" : "M"}${(place * step).toFixed(2)} ${(49 - 48 * value).toFixed(2)}`)
    .join("");
}

// Values moved and stretched to lie between 0 and 1.
function scaled(values) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (span > 0 ? (value - low) / span : 0));
}

function start(document) {
  const { curves } = JSON.parse(document.getElementById("curves").textContent);
  if (!curves.length) return;
  const byId = (name) => document.getElementById(name);
  const [choice, slider, plot] = ["curve", "slider", "plot"].map(byId);
  let curve, points, step;

  const add = (kind, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    plot.append(element);
    return element;
  };

  const share = (value) => value.toFixed(3);

  function show() {
    const place = Number(slider.value);
    const point = pointOf(curve, place);
    for (const name of ["tp", "fp", "fn", "tn", "predicted"]) byId(name).textContent = point[name];
    for (const name of ["precision", "recall", "f1"]) byId(name).textContent = share(point[name]);
    byId("threshold").textContent = point.threshold.toPrecision(5);
    if (point.cost !== null) byId("cost").textContent = point.cost.toPrecision(5);
    if (curve.constraint) byId("region").textContent = meets(curve, point) ? "holds" : "does not hold";
    slider.setAttribute(
      "aria-valuetext",
      `${point.threshold.toPrecision(5)}: precision ${share(point.precision)}, recall ${share(point.recall)}`,
    );
    const line = plot.querySelector(".chosen");
    line.setAttribute("x1", place * step);
    line.setAttribute("x2", place * step);
  }

  function draw() {
    curve = curves[Number(choice.value)];
    points = curve.thresholds.map((_, place) => pointOf(curve, place));
    step = 100 / Math.max(points.length - 1, 1);
    plot.replaceChildren();
    for (const [first, last] of regions(curve, points)) {
      const width = Math.max((last - first) * step, 0.3);
      add("rect", { x: first * step, width, y: 0, height: 50 });
    }
    for (const name of ["precision", "recall", "f1"]) {
      add("path", { class: name, d: pathOf(points.map((point) => point[name])) });
    }
    if (curve.cost) add("path", { class: "cost", d: pathOf(scaled(curve.cost)) });
    const limit = curve.constraint;
    if (limit) {
      const y = 49 - 48 * limit.bound;
      add("line", { class: "bound", x1: 0, x2: 100, y1: y, y2: y });
      byId("region-name").textContent = `${limit.quantity} ≥ ${limit.bound}`;
      byId("region-legend").textContent = `shaded: ${limit.quantity} ≥ ${limit.bound}`;
    }
    for (const name of ["region-name", "region", "region-legend"]) byId(name).hidden = !limit;
    for (const name of ["cost-name", "cost", "cost-legend"]) byId(name).hidden = !curve.cost;
    add("line", { class: "chosen", y1: 0, y2: 50 });
    slider.max = points.length - 1;
    slider.value = curve.start;
    show();
  }

  curves.forEach((each, number) => choice.add(new Option(each.name, number)));
  choice.addEventListener("change", draw);
  slider.addEventListener("input", show);
  draw();
}

if (typeof module === "object") module.exports = { meets, pathOf, pointOf, regions, scaled };
else start(document);
