// Nobody is signed in: nothing of anybody's stays in this browser.
self.caches?.delete("homesteward-pages");
