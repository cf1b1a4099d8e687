// The map: a click on a dot makes a branch with its recipe; the bound on the risk is dragged, and dropping it tunes.
const map = document.getElementById("map");
const slider = document.getElementById("bound");

if (map) {
  const settings = fetch(map.dataset.settings).then((answer) => answer.json());
  map.addEventListener("drawn", (event) => {
    const view = event.detail;
    view.addEventListener("click", async (_, item) => {
      const label = item && item.datum && item.datum.setting;
      const steps = label && (await settings)[label];
      if (steps) window.htmx.ajax("POST", map.dataset.choose, { values: { steps }, swap: "none" });
    });
    if (slider) showBound(view, event.target);
  });
}

// A line over the picture at the bound. The slider above is the same for the keyboard.
function showBound(view, chart) {
  const line = document.createElement("div");
  line.className = "bound";
  line.title = "Drag to the highest risk that is accepted: the best recipe within it is shown, and searched for when dropped";
  chart.append(line);
  const svg = chart.querySelector("svg");
  const frame = () => { // where the axes begin, in pixels of the page
    const inner = svg.getBoundingClientRect(), outer = chart.getBoundingClientRect();
    const scale = inner.width / svg.viewBox.baseVal.width, [x, y] = view.origin();
    const [padding, top] = [view.padding().left, view.padding().top];
    return { scale, left: inner.left - outer.left + (x + padding) * scale, top: inner.top - outer.top + (y + top) * scale };
  };
  const place = () => {
    const { scale, left, top } = frame(), x = view.scale("x");
    const at = Math.min(Math.max(x(Number(slider.value)), 0), view.signal("width"));
    line.style.left = `${left + at * scale}px`;
    line.style.top = `${top}px`;
    line.style.height = `${view.signal("height") * scale}px`;
    line.dataset.label = `at most ${Math.round(slider.value * 100)}%`;
    line.classList.toggle("left", at > view.signal("width") / 2);
  };
  const bound = (event) => {
    const { scale, left } = frame();
    const value = view.scale("x").invert((event.clientX - chart.getBoundingClientRect().left - left) / scale);
    slider.value = Math.min(Math.max(value, 0), 1);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  line.addEventListener("pointerdown", (event) => { line.setPointerCapture(event.pointerId); event.preventDefault(); event.stopPropagation(); });
  line.addEventListener("pointermove", (event) => { if (line.hasPointerCapture(event.pointerId)) bound(event); });
  line.addEventListener("pointerup", (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    line.releasePointerCapture(event.pointerId);
    const form = document.getElementById("tune");
    form.elements.bound.value = slider.value;
    form.requestSubmit();
  });
  slider.addEventListener("input", place);
  view.addSignalListener("width", place);
  new ResizeObserver(place).observe(chart);
  place();
}
