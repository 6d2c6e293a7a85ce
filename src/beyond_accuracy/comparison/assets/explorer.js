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

// Whether a point meets a constraint.
function meets(constraint, point) {
  return point[constraint.quantity] >= constraint.bound - 1e-12;
}

// First and last places of the runs of thresholds that meet the constraint; null for none.
function regions(constraint, points) {
  const runs = [];
  points.forEach((point, place) => {
    if (!constraint || !meets(constraint, point)) return;
    const last = runs[runs.length - 1];
    if (last && last[1] === place - 1) last[1] = place;
    else runs.push([place, place]);
  });
  return runs;
}

// The place of the threshold that is nearest to a number.
function nearest(thresholds, value) {
  const distances = thresholds.map((threshold) => Math.abs(threshold - value));
  return distances.indexOf(Math.min(...distances));
}

// Values moved and stretched to lie between 0 and 1.
function scaled(values) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (span > 0 ? (value - low) / span : 0));
}

const height = (value) => 49 - 48 * value;

// An SVG path through values between 0 and 1, over a width of 100 and a height of 50.
function pathOf(values) {
  const step = 100 / Math.max(values.length - 1, 1);
  return values
    .map((value, place) => `${place ? "L" : "M"}${(place * step).toFixed(2)} ${height(value).toFixed(2)}`)
    .join("");
}

function start(document) {
  const { curves, measures } = JSON.parse(document.getElementById("data").textContent);
  if (!curves.length) return;
  const byId = (name) => document.getElementById(name);
  const [method, measure, slider, plot, typed] = ["method", "measure", "slider", "plot", "threshold"].map(byId);
  let curve, constraint, lines, points, step;

  const add = (kind, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    plot.append(element);
    return element;
  };
  const share = (value) => value.toFixed(3);
  const short = (value) => String(Number(value.toPrecision(5)));

  function show() {
    const place = Number(slider.value);
    const point = points[place];
    for (const name of ["tp", "fp", "fn", "tn", "predicted"]) byId(name).textContent = point[name];
    for (const name of ["precision", "recall", "f1"]) byId(name).textContent = share(point[name]);
    typed.value = short(point.threshold);
    if (curve.cost) byId("cost").textContent = short(point.cost);
    if (constraint) byId("region").textContent = meets(constraint, point) ? "holds" : "does not hold";
    slider.setAttribute(
      "aria-valuetext",
      `${typed.value}: precision ${share(point.precision)}, recall ${share(point.recall)}`,
    );
    plot.querySelectorAll(".chosen").forEach((mark) => mark.remove());
    const x = place * step;
    add("line", { class: "chosen", x1: x, x2: x, y1: 0, y2: 50 });
    // A line without length and with round ends is a circle, however the picture is stretched.
    for (const [name, values] of lines) {
      add("path", { class: `chosen dot ${name}`, d: `M${x} ${height(values[place])}h0` });
    }
  }

  function go(place) {
    slider.value = place;
    show();
  }

  function draw() {
    curve = curves[method.value];
    constraint = measures[measure.value].constraint;
    points = curve.thresholds.map((_, place) => pointOf(curve, place));
    step = 100 / Math.max(points.length - 1, 1);
    lines = ["precision", "recall", "f1"].map((name) => [name, points.map((point) => point[name])]);
    if (curve.cost) lines.push(["cost", scaled(curve.cost)]);
    plot.replaceChildren();
    for (const [first, last] of regions(constraint, points)) {
      add("rect", { x: first * step, width: Math.max((last - first) * step, 0.3), y: 0, height: 50 });
    }
    add("line", { class: "grid", x1: 0, x2: 100, y1: height(0.5), y2: height(0.5) });
    for (const [name, values] of lines) add("path", { class: name, d: pathOf(values) });
    if (constraint) {
      const y = height(constraint.bound);
      add("line", { class: "bound", x1: 0, x2: 100, y1: y, y2: y });
      const text = `${constraint.quantity} ≥ ${constraint.bound}`;
      byId("region-name").textContent = text;
      byId("region-legend").textContent = `shaded: ${text}`;
    }
    for (const name of ["region-name", "region", "region-legend"]) byId(name).hidden = !constraint;
    for (const name of ["cost-name", "cost", "cost-legend"]) byId(name).hidden = !curve.cost;
    [...byId("ticks").children].forEach((tick, number) => {
      tick.textContent = short(Number(curve.thresholds[Math.round((number / 4) * (points.length - 1))].toPrecision(3)));
    });
    slider.max = points.length - 1;
    go(curve.starts[measure.value]);
  }

  curves.forEach((each, number) => method.add(new Option(each.name, number)));
  measures.forEach((each, number) => measure.add(new Option(each.name, number)));
  method.value = measures[0].curve;
  method.addEventListener("change", draw);
  measure.addEventListener("change", () => {
    method.value = measures[measure.value].curve;
    draw();
  });
  slider.addEventListener("input", show);
  typed.addEventListener("change", () => go(nearest(curve.thresholds, Number(typed.value))));
  byId("best").addEventListener("click", () => go(curve.starts[measure.value]));
  for (const kind of ["pointerdown", "pointermove"]) {
    plot.addEventListener(kind, (event) => {
      const box = plot.getBoundingClientRect();
      if (event.buttons) go(Math.round(((event.clientX - box.left) / box.width) * (points.length - 1)));
    });
  }
  draw();
}

if (typeof module === "object") module.exports = { meets, nearest, pathOf, pointOf, regions, scaled };
else start(document);
