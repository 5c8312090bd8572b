/* The service worker of a site of games. A page that was opened once opens again without a network. It comes from the
   device at once, and if there is a newer one, that is kept for the next time. */

const PAGES = "rollwise";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.location.origin)) event.respondWith(answer(event));
});

async function answer(event) {
  const { request } = event, pages = await caches.open(PAGES), kept = await pages.match(request);
  const isPart = request.url.startsWith(new URL("docs/", self.registration.scope).href); /* it belongs to others of its version */
  const fresh = fetch(request, isPart ? {} : { cache: "no-cache" }).then(async (response) => {
    if (response.ok) await pages.put(request, response.clone());
    return response;
  });
  if (isPart || !kept) return fresh.catch((error) => kept ?? Promise.reject(error));
  event.waitUntil(fresh.catch(() => {}));
  return kept;
}
