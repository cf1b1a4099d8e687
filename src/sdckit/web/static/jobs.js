// Jobs: follow the progress of each until it has ended, and ask for what became ready.
const followed = new Map();
const LEAVING = 3000; // milliseconds: a page that is still here then wants the figures that gave way to a later state's

function emit(name) {
  document.body.dispatchEvent(new CustomEvent(name));
}

export function follow(root) {
  for (const element of root.querySelectorAll("[data-job][data-state=running]")) {
    const number = element.dataset.job;
    if (followed.has(number)) continue;
    const source = new EventSource(`/jobs/${number}/events`);
    followed.set(number, { source, ready: "", released: element.dataset.released === "yes" });
    source.onmessage = (event) => receive(JSON.parse(event.data), number);
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) followed.delete(number); };
  }
}

// Load the page anew, but not while a dialog is open or an answer is awaited: what was opened or asked for would be lost.
function reload() {
  const open = document.querySelector("dialog[open]");
  if (open) open.addEventListener("close", reload, { once: true });
  else if (document.querySelector(".htmx-request")) document.body.addEventListener("htmx:afterRequest", reload, { once: true });
  else {
    delete document.documentElement.dataset.ready;
    location.reload();
  }
}

export function receive(job, number) {
  const entry = followed.get(number);
  const element = document.getElementById(`job-${number}`);
  if (element) {
    const bar = element.querySelector("progress");
    if (bar && job.share !== null) bar.value = job.share;
    const label = element.querySelector(".label");
    if (label) label.textContent = job.label;
  }
  const here = String(job.node) === document.body.dataset.node;
  const ready = `${JSON.stringify(job.ready)} ${job.state === "running" ? "" : job.state}`;
  if (entry && ready !== entry.ready) {
    entry.ready = ready;
    if (job.state === "superseded") setTimeout(() => emit("strip"), LEAVING);
    else if (job.kind === "release" || job.kind === "measure") emit("strip"); // states may share their figures
    if (job.kind === "release" && job.ready.release && !entry.released && (here || document.body.dataset.waiting)) {
      entry.released = true;
      document.body.dataset.waiting = "";
      if (["attack", "compare", "decide"].includes(document.body.dataset.screen)) reload();
      else emit("released");
    }
    if (here && (job.kind === "preview" || job.kind === "attack")) emit(job.kind);
  }
  if (job.state === "running") return;
  entry?.source.close();
  followed.delete(number);
  emit("jobs");
  if (!here) return;
  if (job.state !== "done") return;
  const reloads = { release: ["compare", "decide"], measure: ["decide"], sweep: ["weigh"], tune: ["weigh"], decide: ["decide"], publish: ["decide"], export: ["decide"] };
  if ((reloads[job.kind] || []).includes(document.body.dataset.screen)) reload();
}
