// Caches this version of the editor, so that it opens offline. The build fills in its files and their hash
// (xtask/src/seal.rs): a new build is a new worker, which waits until the page asks it to take over.
const VERSION = "{{version}}";
const FILES = ["{{files}}"];
const CACHE = `taskloom-${VERSION}`;
const HELP = new URL("help/", self.location.href).href;

self.addEventListener("install", (event) => {
  // `no-cache` makes the browser revalidate its cached copies with the server.
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const others = (name) => name.startsWith("taskloom-") && name !== CACHE;
  const clear = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter(others).map((name) => caches.delete(name)));
    // A page that has just loaded this version works offline without a second load.
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
    const kept = await cache.match(request, { ignoreSearch: true });
    // Pages of the help are separate documents, and `cargo xtask serve` may add them after the first start. Every other
    // address is the editor's.
    const isEditor = request.mode === "navigate" && !request.url.startsWith(HELP);
    const page = kept ?? (isEditor ? await cache.match("./") : undefined);
    return page ?? fetch(request);
  };
  event.respondWith(answer());
});
