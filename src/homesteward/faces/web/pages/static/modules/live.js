// Loaded before htmx, so that nothing is missed. Reads the page's one stream: counts what waits in badges and the title, has parts and plans made anew, says when nothing is heard.
const live = document.getElementById("live");
const lost = document.getElementById("lost");
const title = document.title;
const AGAIN_MS = 3000;
let mark = document.body.dataset.mark;
let greeted = false;
let missing = 0;

function count(waiting) {
  if (waiting === undefined) return;
  for (const badge of document.querySelectorAll("[data-waiting]")) {
    badge.textContent = waiting;
    badge.hidden = !waiting;
  }
  document.title = waiting ? `(${waiting}) ${title}` : title;
  if (navigator.setAppBadge) (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}

function refresh(selector) {
  for (const card of document.querySelectorAll(selector)) htmx.trigger(card, "refresh");
}

function heard() {
  clearTimeout(missing);
  missing = 0;
  lost.hidden = true;
}

function unheard(at_once) {
  if (at_once === true) lost.hidden = false;
  missing ||= setTimeout(() => { lost.hidden = false; }, AGAIN_MS);
}

const hears = {
  hello(told) {
    heard();
    count(told.waiting);
    if (told.mark !== mark) {
      plans();
      htmx.trigger(live, "home");
      refresh("[data-plan]:not(#waiting *)");
    }
    if (greeted) htmx.trigger(live, "unusual");
    greeted = true;
    mark = told.mark;
  },
  plan(told) {
    count(told.waiting);
    plans();
    if (told.id) refresh(`[data-plan="${CSS.escape(told.id)}"]:not(#waiting *, :has(.htmx-request))`);
  },
};

// What somebody decides at this moment is shown where they decided it: the list is made anew after that.
let due = false;

function plans() {
  due = Boolean(document.querySelector("#waiting .htmx-request"));
  if (!due) htmx.trigger(live, "plans");
}
document.addEventListener("htmx:after:swap", () => { if (due) setTimeout(plans); });

for (const [name, hear] of Object.entries(hears)) {
  live.addEventListener(name, (event) => hear(JSON.parse(event.detail.data)));
}
live.addEventListener("htmx:sse:before:connection", (event) => { if (event.detail.connection.attempt) unheard(); });
live.addEventListener("htmx:sse:error", (event) => {
  if (event.detail.status === 401) location.reload();
  unheard(true);
});
live.addEventListener("htmx:error", () => {
  unheard(true);
  setTimeout(() => htmx.trigger(live, "again"), AGAIN_MS);
});
