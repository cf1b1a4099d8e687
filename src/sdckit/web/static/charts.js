// Charts: drawn from the specifications in the page, by the scripts of the report and without evaluating text.
let loading = null;

function library() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/static/vega.js";
    script.onload = () => resolve(window.vegaEmbed);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// On a telephone the names of the axis leave most of the width to the bars.
function narrow(part, width) {
  for (const layer of [part, ...(part.layer || [])]) {
    const y = layer.encoding?.y;
    if (y && y.type === "nominal") y.axis = { ...y.axis, labelLimit: Math.round(width * 0.28) };
  }
}

async function draw(element) {
  if (element.dataset.drawn) return;
  element.dataset.drawn = "yes";
  const spec = JSON.parse(element.parentElement.querySelector("script.spec").textContent);
  if (element.clientWidth < 420) narrow(spec, element.clientWidth);
  const embed = await library();
  const result = await embed(element, spec, {
    actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true },
  });
  element.querySelector("svg")?.setAttribute("aria-hidden", "true"); // the element has a name, and the table the figures
  element.dispatchEvent(new CustomEvent("drawn", { bubbles: true, detail: result.view }));
}

export function drawCharts(root) {
  for (const element of root.querySelectorAll(".chart")) {
    const folded = element.closest("details:not([open])");
    if (folded) folded.addEventListener("toggle", () => drawCharts(folded), { once: true });
    else draw(element);
  }
}
