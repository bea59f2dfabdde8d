// The composer and the turns: Enter sends, a run's events have its turn made anew, an answer can be copied or asked for again.
// What was not sent, or was refused, is said at the form or card it was sent from, and what was written stays.
const TOLD = ["started", "thinking", "tool_call", "tool_result", "plan", "confirm", "reply", "usage", "error", "done"];
const SETTLE_MS = 120;

function prepare(root) {
  for (const button of root.querySelectorAll("[data-copy], [data-again]")) button.hidden = false;
  for (const watch of root.querySelectorAll(".watch:not([data-heard])")) {
    watch.dataset.heard = "";
    let due = 0;
    const tell = () => { due = 0; htmx.trigger(watch, "told"); };
    for (const name of TOLD) watch.addEventListener(name, () => { due ||= setTimeout(tell, name === "done" ? 0 : SETTLE_MS); });
    watch.addEventListener("done", () => { clearTimeout(due); tell(); });
  }
}

function begun(turn) {
  document.querySelector(".welcome")?.remove();
  const turns = turn.closest(".turns");
  for (const earlier of turns.querySelectorAll(".turn .options")) if (!turn.contains(earlier)) earlier.remove();
  const composer = turns.closest("section, dialog").querySelector("form.composer");
  composer.elements.conversation_id.value = turn.dataset.conversation;
  if (location.pathname.endsWith("/ask")) history.replaceState(null, "", `?conversation=${encodeURIComponent(turn.dataset.conversation)}`);
  turn.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("form.composer");
  if (!form || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (!form.elements.text.readOnly) form.requestSubmit();
});

const unsent = new Map(); // what is to be said at a card, by its plan: a card is made anew, and says it again

function field(event) {
  return event.target.closest?.("form.composer")?.elements.text;
}

function say(from, note) {
  const card = from.closest(".plan"), place = card ?? from.closest("form") ?? from;
  place.querySelector(".unsent")?.remove();
  if (card) note ? unsent.set(card.dataset.plan, note) : unsent.delete(card.dataset.plan);
  if (note) place.append(note);
}

function note(answer) {
  const told = answer && new DOMParser().parseFromString(answer, "text/html").querySelector("[role=alert]");
  const made = told ?? document.getElementById("unsent").content.firstElementChild.cloneNode(true);
  made.classList.add("unsent");
  return made;
}

function sends(event) {
  return event.detail.ctx?.request?.method === "POST" && event.detail.ctx;
}

document.addEventListener("htmx:before:request", (event) => {
  if (!sends(event)) return;
  say(event.target);
  const text = field(event);
  if (text) text.readOnly = true;
});
document.addEventListener("htmx:after:request", (event) => {
  const ctx = sends(event);
  if (!ctx) return;
  if (ctx.response.status >= 400) return say(event.target, note(ctx.text));
  const text = field(event);
  if (text) text.value = "";
});
document.addEventListener("htmx:error", (event) => { if (sends(event)) say(event.target, note()); });
document.addEventListener("htmx:finally:request", (event) => {
  const text = field(event);
  if (text) text.readOnly = false;
});
document.addEventListener("htmx:after:swap", () => {
  for (const [id, told] of unsent) {
    const card = document.querySelector(`.plan[data-plan="${CSS.escape(id)}"]`);
    if (!card?.querySelector("form")) unsent.delete(id);
    else if (!card.querySelector(".unsent")) card.append(told);
  }
});
document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]"), again = event.target.closest("[data-again]");
  if (copy) await navigator.clipboard?.writeText(copy.dataset.copy);
  if (again) {
    const form = again.closest("section, dialog").querySelector("form.composer");
    form.elements.text.value = again.dataset.again;
    form.requestSubmit();
  }
});
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) {
    if (!(node instanceof Element)) continue;
    prepare(node);
    if (node.matches(".turn")) begun(node);
  }
}).observe(document.body, { childList: true, subtree: true });
prepare(document);
document.querySelector("#turns .turn:last-child")?.scrollIntoView({ block: "end" });
