// The grid: a table that asks for the window it shows, however many rows the file has.
const MARKS = ["", "changed", "lost", "dropped"];
const NOTHING = { num_rows: 0, num_columns: 0, data: [], column_headers: [], row_headers: [] };

export async function showGrid() {
  const grid = document.getElementById("grid");
  if (!grid || grid.dataset.shown) return;
  grid.dataset.shown = "yes";
  await import("/static/vendor/regular-table-0.9.2.js");
  let marks = [];
  let asked = { x0: 0, y0: 0 };

  async function cells(x0, y0, x1, y1) {
    if (!grid.isConnected) return NOTHING; // it was replaced while it was drawn, and has no height any more
    const answer = await fetch(`${grid.dataset.source}?view=${grid.dataset.view}&x0=${x0}&y0=${y0}&x1=${x1}&y1=${y1}`);
    if (!answer.ok) return NOTHING;
    const found = await answer.json();
    marks = found.marks;
    asked = { x0, y0 };
    return {
      num_rows: found.rows,
      num_columns: found.columns,
      column_headers: found.names.map((name) => [name]),
      row_headers: found.numbers.map((number) => [number.toLocaleString("en")]),
      data: found.cells,
    };
  }

  grid.setDataListener(cells, { virtual_mode: "both" });
  grid.addStyleListener(() => {
    for (const cell of grid.querySelectorAll("tbody td")) {
      const meta = grid.getMeta(cell);
      const mark = meta ? (marks[meta.x - asked.x0] || [])[meta.y - asked.y0] || 0 : 0;
      cell.className = MARKS[mark];
      cell.title = cell.textContent;
    }
  });
  await grid.draw();

  for (const tab of document.querySelectorAll(".pane-head [data-view]")) {
    tab.addEventListener("click", () => {
      for (const other of document.querySelectorAll(".pane-head [data-view]")) other.setAttribute("aria-selected", other === tab);
      grid.dataset.view = tab.dataset.view;
      grid.draw({ invalid_columns: true });
    });
  }
}
