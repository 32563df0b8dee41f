// Keeps this version of the editor, so that it opens without a network. Which files belong to it, and their hash, the
// build fills in (xtask/src/seal.rs): a new build is a new worker, which waits until the page asks it to take over.
const VERSION = "{{version}}";
const FILES = ["{{files}}"];
const CACHE = `taskloom-${VERSION}`;

self.addEventListener("install", (event) => {
  // `no-cache` asks the server whether what the browser has is still right.
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const others = (name) => name.startsWith("taskloom-") && name !== CACHE;
  const clear = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter(others).map((name) => caches.delete(name)));
    // The page that has just loaded this version needs no second load to work offline.
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") {
    self.skipWaiting();
  }
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) {
    return;
  }
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const page = request.mode === "navigate" ? "./" : request;
    return (await cache.match(page)) ?? fetch(request);
  };
  event.respondWith(answer());
});
