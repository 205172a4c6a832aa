// Keeps the page itself for visits without a network; the model's files are kept by the runtime.

if ("serviceWorker" in navigator) {
  const policy = globalThis.trustedTypes?.createPolicy("wgpt", { createScriptURL: (url) => url });
  const address = "service-worker.js";
  navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address).catch(() => {});
}
