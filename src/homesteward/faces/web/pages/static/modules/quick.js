// Quick ask: a button and the key "/" on every page; where a page has a composer of its own, the key leads there.
const dialog = document.querySelector("dialog.quick");
const opener = document.querySelector(".quick-open");
const typing = "input, textarea, select, [contenteditable]";

function open() {
  if (dialog && !dialog.open) dialog.showModal();
  (dialog ?? document).querySelector(".composer textarea")?.focus();
}

if (opener) {
  opener.hidden = false;
  opener.addEventListener("click", open);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(typing)) return;
  event.preventDefault();
  open();
});
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.who[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.who[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
});
