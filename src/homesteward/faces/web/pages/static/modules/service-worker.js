// Shows the last pages while Homesteward cannot be reached; they say themselves how old they are. It sends nothing and asks nothing.
// A page that was never seen is not answered with another one: that there is no connection is said in its place.
const PAGES = "homesteward-pages";
const FILES = "homesteward-files";
const OFFLINE = new URL("offline", self.registration.scope).href;
const MOST_PAGES = 20;
const MOST_FILES = 60;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((files) => prepare(files)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (new URL(request.url).pathname.includes("/static/")) event.respondWith(file(request));
});

// The page that says so, with the files that it needs.
async function prepare(files) {
  await files.add(OFFLINE);
  const text = await (await files.match(OFFLINE)).text();
  await files.addAll([...new Set([...text.matchAll(/="\.\/(static\/[^"]+)"/g)].map(([, path]) => new URL(path, self.registration.scope).href))]);
}

// Its addresses are relative to the front page, and it may stand at any.
async function unreached() {
  const kept = await caches.match(OFFLINE);
  if (!kept) return Response.error();
  const text = (await kept.text()).replaceAll('="./', `="${self.registration.scope}`);
  const headers = ["content-type", "content-security-policy"].filter((name) => kept.headers.has(name)).map((name) => [name, kept.headers.get(name)]);
  return new Response(text, { headers });
}

async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("x-homesteward-page") === "kept") await keep(PAGES, request, answer.clone(), MOST_PAGES);
    return answer;
  } catch {
    const pages = await caches.open(PAGES);
    return (await pages.match(request.url)) ?? unreached();
  }
}

async function file(request) {
  const kept = await caches.match(request.url);
  if (kept && new URL(request.url).searchParams.has("v")) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(FILES, request, answer.clone(), MOST_FILES);
    return answer;
  } catch {
    return kept ?? Response.error();
  }
}

async function keep(name, request, answer, most) {
  const cache = await caches.open(name);
  await cache.delete(request.url);
  await cache.put(request.url, answer);
  for (const old of (await cache.keys()).slice(0, -most)) if (old.url !== OFFLINE) await cache.delete(old);
}
