// The composer and the turns: Enter sends, a run's events have its turn made anew, an answer can be copied or asked for again.
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
  form.requestSubmit();
});
document.addEventListener("htmx:before:request", (event) => {
  const field = event.target.closest?.("form.composer")?.elements.text;
  if (field) field.value = "";
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
