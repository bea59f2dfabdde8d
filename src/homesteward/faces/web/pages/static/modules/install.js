// Has the service worker keep the last pages for a moment without a connection, and forgets them when somebody signs out.
const KEPT = "homesteward-pages";
const root = new URL(document.body.dataset.root, location.href);

if (navigator.serviceWorker && !("ingress" in document.body.dataset)) {
  navigator.serviceWorker.register(new URL("service-worker.js", root), { scope: root.pathname }).catch(() => {});
}
for (const form of document.querySelectorAll("[data-forgets]")) {
  form.addEventListener("submit", () => { self.caches?.delete(KEPT); });
}
