// Caches this version of the editor, so that it opens offline. The build fills in its files and their hash
// (xtask/src/seal.rs): a new build is a new worker, which waits until the page asks it to take over.
const VERSION = "{{version}}";
const FILES = ["{{files}}"];
const CACHE = `taskloom-${VERSION}`;
const FOLDER = new URL("./", self.location.href).pathname;
// The addresses of cached files that have another name.
const INDEXES = { [FOLDER]: "./", [`${FOLDER}index.html`]: "./", [`${FOLDER}help/`]: "help/index.html" };

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
    const index = INDEXES[new URL(request.url).pathname];
    // Everything else is the server's, such as an address that doesn't exist, or help that `cargo xtask serve` has added
    // after the first start.
    return (await cache.match(index ?? request, { ignoreSearch: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});
