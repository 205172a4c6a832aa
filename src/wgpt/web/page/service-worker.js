// The newest page from the network, or without one the page as it was at the last visit.

const CACHE = "wgpt-page";

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keepAll() {
  const cache = await caches.open(CACHE);
  const files = await (await fetch("page/files.json")).json();
  await cache.addAll(files);
  await self.skipWaiting();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const model = new URL("model/", self.registration.scope);
  if (request.method !== "GET" || address.origin !== location.origin || address.href.startsWith(model.href)) return;
  event.respondWith(newest(request));
});

async function newest(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
