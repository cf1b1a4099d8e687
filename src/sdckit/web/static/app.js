// What every page does: the token of changes, keys, the palette, the drawer, the jobs and the charts.
import { follow } from "/static/jobs.js";
import { drawCharts } from "/static/charts.js";
import { showGrid } from "/static/grid.js";

sessionStorage.clear(); // htmx notes the address there; nothing stays in the browser

const node = document.body.dataset.node;
const csrf = document.querySelector("meta[name=csrf]").content;

document.body.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRF-Token"] = csrf;
});
for (const failed of ["htmx:sendError", "htmx:responseError"]) {
  document.body.addEventListener(failed, (event) => {
    const status = event.detail.xhr ? event.detail.xhr.status : 0;
    const text = status === 403 ? "The server was started anew. Open the address that it printed."
      : "The server does not answer. If it was ended, start `sdckit web` again: everything is kept.";
    const line = document.createElement("p");
    line.className = "callout bad";
    line.textContent = text;
    document.getElementById("message").replaceChildren(line);
  });
}

// Everything that appears is looked through once: jobs to follow, charts to draw, choices that show fields.
function look(root) {
  drawCharts(root);
  follow(root);
  showGrid();
  for (const select of root.querySelectorAll("[data-shows]")) showWay(select);
}
document.body.addEventListener("htmx:afterSettle", (event) => look(event.detail.target.parentElement || document));

document.addEventListener("click", (event) => {
  if (event.target.closest(".dismiss")) document.getElementById("message").replaceChildren();
  const tab = event.target.closest("[data-tab]");
  if (tab) showTab(tab);
  if (event.target.closest("[data-copy]")) {
    const shown = document.querySelector("#drawer pre:not([hidden])");
    if (shown && navigator.clipboard) navigator.clipboard.writeText(shown.textContent);
  }
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-shows]")) showWay(event.target);
  if (event.target.matches("[data-submit]")) event.target.form.submit();
  if (event.target.matches("input[type=file][data-into]") && event.target.files[0]) {
    event.target.files[0].text().then((text) => { document.getElementById(event.target.dataset.into).value = text; });
  }
});
document.addEventListener("input", (event) => {
  if (event.target.type !== "range") return;
  const output = document.querySelector(`output[for="${event.target.id}"]`);
  if (output) output.textContent = event.target.name === "bound" ? `${Math.round(event.target.value * 100)}%` : event.target.value;
});

function showTab(tab) {
  for (const other of tab.parentElement.querySelectorAll("[data-tab]")) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", chosen);
    document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
  }
}
function showWay(select) {
  for (const part of select.form.querySelectorAll("[data-way]")) part.hidden = part.dataset.way !== select.value;
}

// Grouping by dragging one value onto another: both get the same group.
// Roles by dragging a column onto one.
let dragged = null;
const target = (event) => dragged && (dragged.closest(".groups") ? event.target.closest(".groups tr") : event.target.closest(".role-targets li"));
function mark(onto) {
  for (const other of document.querySelectorAll(".over")) other.classList.remove("over");
  if (onto) onto.classList.add("over");
}
document.addEventListener("dragstart", (event) => { dragged = event.target.closest(".groups tr, .roles tr[data-column]"); });
document.addEventListener("dragend", () => { dragged = null; mark(null); });
document.addEventListener("dragover", (event) => {
  const onto = target(event);
  mark(onto);
  if (onto) event.preventDefault();
});
function setRole(column, role) {
  window.htmx.ajax("POST", `/n/${node}/role`, { values: { column, role }, swap: "none" });
}
document.addEventListener("drop", (event) => {
  const role = dragged && dragged.dataset.column !== undefined && target(event);
  if (role) { event.preventDefault(); setRole(dragged.dataset.column, role.dataset.role); return; }
  const onto = event.target.closest(".groups tr");
  if (!dragged || !onto || onto === dragged) return;
  event.preventDefault();
  joinGroup(dragged, onto);
  dragged = null;
});

// A group that nobody has named is called by its values.
function joinGroup(row, onto) {
  const group = (each) => each.querySelector("input[name=group]");
  const [ours, theirs] = [group(row), group(onto)];
  if (theirs.value && theirs.value !== theirs.dataset.made) { ours.value = theirs.value; return; }
  const joined = (each) => each === row || each === onto || (theirs.value && group(each).value === theirs.value);
  const members = [...onto.parentElement.children].filter(joined);
  const name = members.map((each) => each.querySelector("input[name=value]").value).join(" or ");
  for (const each of members) { group(each).value = name; group(each).dataset.made = name; }
}

// The drawer opens when its content has come.
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "drawer") document.getElementById("drawer-dialog").showModal();
  if (event.detail.target.id === "column") event.detail.target.scrollIntoView({ block: "nearest" });
});
const help = document.getElementById("show-help");
if (help) help.addEventListener("click", () => document.getElementById("help").showModal());

// Keys.
const links = [...document.querySelectorAll(".screens a")];
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog[open]");
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !typing) {
    const key = event.key.toLowerCase();
    const way = key === "z" && !event.shiftKey ? "undo" : key === "y" || (key === "z" && event.shiftKey) ? "redo" : "";
    const link = way && document.getElementById(way);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  const row = event.target.closest(".roles tr[data-column]");
  const role = row && /^[a-z]$/.test(event.key) && document.querySelector(`.role-targets [data-key="${event.key}"]`);
  if (role) { event.preventDefault(); setRole(row.dataset.column, role.dataset.role); return; }
  if (/^[1-7]$/.test(event.key) && links.length) links[Number(event.key) - 1].click();
  else if (event.key === "/") { event.preventDefault(); openPalette(); }
  else if (event.key === "?") document.getElementById("help").showModal();
  else if (event.key === "c" && node) document.getElementById("show-code").click();
});

// The palette: everything that is linked or can be chosen on this page.
function commands() {
  const found = links.map((link) => ({ label: link.textContent.trim().replace(/^\d\s*/, ""), hint: "screen", go: link.href }));
  for (const link of document.querySelectorAll(".history a")) found.push({ label: link.textContent, hint: "history", go: link.href });
  return found;
}
async function columnsAndMethods() { // of every screen, so that `/` leads from anywhere to any of them
  const answer = node ? await fetch(`/n/${node}/commands`) : null;
  return answer && answer.ok ? answer.json() : [];
}
function openPalette() {
  const dialog = document.getElementById("palette");
  const input = document.getElementById("palette-input");
  const list = document.getElementById("palette-list");
  const all = commands();
  let chosen = 0;
  function fill() {
    const wanted = input.value.trim().toLowerCase();
    const shown = all.filter((each) => each.label.toLowerCase().includes(wanted)).slice(0, 40);
    chosen = Math.min(chosen, Math.max(shown.length - 1, 0));
    list.replaceChildren(...shown.map((each, index) => {
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", index === chosen);
      item.textContent = each.label;
      const hint = document.createElement("span");
      hint.textContent = each.hint;
      item.append(hint);
      item.addEventListener("click", () => { location.href = each.go; });
      return item;
    }));
  }
  input.oninput = () => { chosen = 0; fill(); };
  input.onkeydown = (event) => {
    if (event.key === "ArrowDown") { chosen += 1; fill(); event.preventDefault(); }
    if (event.key === "ArrowUp") { chosen = Math.max(chosen - 1, 0); fill(); event.preventDefault(); }
    if (event.key === "Enter") list.children[chosen]?.click();
  };
  input.value = "";
  fill();
  dialog.showModal();
  input.focus();
  columnsAndMethods().then((more) => { all.push(...more); fill(); });
}

look(document);

// Keys and gestures work from here on.
document.documentElement.dataset.ready = "yes";
