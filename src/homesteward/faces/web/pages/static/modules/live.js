// The page's news: counts what waits in badges and the title, has parts and plans made anew, says when nothing is heard.
// A browser holds only six connections to one address, and a stream keeps one: one page that is seen hears for all of them.
const live = document.getElementById("live");
const lost = document.getElementById("lost");
const title = document.title;
const root = new URL(document.body.dataset.root, location.href);
const stream = new URL("live", root), now = new URL("live?follow=false", root);
const NAME = `homesteward-live ${root.pathname}`;
const AGAIN_MS = 3000;
const BEATS = 2; // so many missed, and nothing is at the other end any more
const HELLO = /^event: hello\ndata: (.*)$/m;
const channel = self.BroadcastChannel && new BroadcastChannel(NAME);
let mark = document.body.dataset.mark;
let beat_ms = 15000;
let greeted = false;
let source = null;
let leave = null;
let seeking = null;
let missing = 0, silent = 0, again = 0;

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

const hears = {
  hello(told) {
    beat_ms = told.beat_s * 1000;
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
  home() { htmx.trigger(live, "home"); },
  unusual() { htmx.trigger(live, "unusual"); },
  beat() {},
};

// What somebody decides at this moment is shown where they decided it: the list is made anew after that.
let due = false;

function plans() {
  due = Boolean(document.querySelector("#waiting .htmx-request"));
  if (!due) htmx.trigger(live, "plans");
}
document.addEventListener("htmx:after:swap", () => { if (due) setTimeout(plans); });

function hear(name, data) {
  hears[name](JSON.parse(data));
  clearTimeout(missing);
  clearTimeout(silent);
  missing = 0;
  silent = setTimeout(gone, BEATS * beat_ms);
  lost.hidden = true;
}

function gone() {
  lost.hidden = false;
  ask();
}

function close() {
  source?.close();
  source = null;
}

function open() {
  close();
  source = new EventSource(stream);
  for (const name of Object.keys(hears)) {
    source.addEventListener(name, ({ data }) => {
      channel?.postMessage([name, data]);
      hear(name, data);
    });
  }
  source.addEventListener("error", ({ data }) => {
    close(); // its own way to begin anew does not say why, nor when it gives up
    if (!data) missing ||= setTimeout(() => { lost.hidden = false; }, AGAIN_MS);
    ask();
  });
}

// How things are now, without a stream: for a page that another one hears for, and to learn why a stream ended.
async function ask() {
  clearTimeout(again);
  clearTimeout(silent);
  if (document.hidden) return;
  const leads = leave || !shared;
  if (leads) close();
  const told = await fetch(now, { signal: AbortSignal.timeout(BEATS * beat_ms) })
    .then(async (answer) => answer.status === 401 ? location.reload() : HELLO.exec(await answer.text())).catch(() => null);
  if (document.hidden || told === undefined) return;
  if (told) {
    hear("hello", told[1]);
    if (leads) open();
  } else {
    lost.hidden = false;
    again = setTimeout(ask, AGAIN_MS);
  }
}

// Web Locks are only there over https: without them each page that is seen has a stream of its own.
const shared = Boolean(navigator.locks && channel);

async function lead(lock) {
  if (!lock) return false;
  if (document.hidden) return true;
  const led = new Promise((done) => { leave = done; });
  open();
  await led;
  return true;
}

async function seek() {
  rest();
  if (!shared) return open();
  const { signal } = seeking = new AbortController();
  if (await navigator.locks.request(NAME, { ifAvailable: true }, lead) || signal.aborted) return;
  ask();
  await navigator.locks.request(NAME, { signal }, lead).catch((ended) => { if (ended.name !== "AbortError") throw ended; });
}

function rest() {
  for (const timer of [missing, silent, again]) clearTimeout(timer);
  missing = 0;
  close();
  seeking?.abort();
  leave?.();
  leave = null;
}

channel?.addEventListener("message", ({ data: [name, data] }) => { if (!document.hidden && !leave) hear(name, data); });
document.addEventListener("visibilitychange", () => document.hidden ? rest() : seek());
addEventListener("pagehide", rest);
addEventListener("pageshow", (event) => { if (event.persisted && !document.hidden) seek(); });
addEventListener("offline", () => { lost.hidden = false; close(); });
addEventListener("online", ask);
document.addEventListener("DOMContentLoaded", () => { if (!document.hidden) seek(); });
