// The browser's database (IndexedDB), reduced to what the page needs. Where there is none, as in some private
// windows, `openDatabase` rejects and the library keeps conversations in memory.

const NAME = "wgpt";
const VERSION = 1;
const STORE = "conversations";

export async function openDatabase() {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
  const database = await settled(request);
  database.onversionchange = () => database.close(); // a newer page in another tab wants to upgrade
  const store = (mode) => database.transaction(STORE, mode).objectStore(STORE);
  return {
    all: () => settled(store("readonly").getAll()),
    get: (id) => settled(store("readonly").get(id)),
    put: (record) => committed(store("readwrite").put(record)),
    delete: (id) => committed(store("readwrite").delete(id)),
  };
}

// At once: a page that is reloaded before a transaction commits by itself loses it.
function committed(request) {
  request.transaction.commit();
  return settled(request);
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older version of the database"));
  });
}
