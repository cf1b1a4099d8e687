// The map: a click on a dot makes a branch with its recipe.
const map = document.getElementById("map");

if (map) {
  const settings = fetch(map.dataset.settings).then((answer) => answer.json());
  map.addEventListener("drawn", (event) => {
    event.detail.addEventListener("click", async (_, item) => {
      const label = item && item.datum && item.datum.setting;
      const steps = label && (await settings)[label];
      if (steps) window.htmx.ajax("POST", map.dataset.choose, { values: { steps }, swap: "none" });
    });
  });
}
