// What the page needs from the browser before, around and after the Go program.
// Loaded after wasm_exec.js and before app.js, so that it wraps what they
// define and use. It is go-app's counterpart, not part of the page: no state,
// no arithmetic.
"use strict";

// 1. STORAGE. In a sandboxed frame, or one whose storage is blocked, touching
// localStorage throws, and go-app's loop would end at its start: the page
// looks alive and is dead. There it gets a storage that lasts as long as the
// page.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("partsize");
  } catch {
    const kept = new Map();
    Object.defineProperty(window, name, {
      configurable: true,
      value: {
        get length() { return kept.size; },
        key: (i) => [...kept.keys()][i] ?? null,
        getItem: (key) => kept.get(String(key)) ?? null,
        setItem: (key, value) => { kept.set(String(key), String(value)); },
        removeItem: (key) => { kept.delete(String(key)); },
        clear: () => { kept.clear(); },
      },
    });
  }
}

// A frame in another page leaves nothing behind in the reader's browser: it
// installs no service worker. Where the whole page has one, it is served by it.
if (document.documentElement.classList.contains("embed")) delete Navigator.prototype.serviceWorker;

// 2. BROKEN LINKS. Go refuses an address with half an escape in it, as of a link that was cut, and would end at once. It is
// replaced by a replacement character before Go looks, at the start and before each step through the history; the page
// then says what is wrong with the link.
const mend = () => {
  const whole = location.hash.replace(/%(?![0-9a-f]{2}).?/gi, "%EF%BF%BD");
  if (whole !== location.hash) history.replaceState(history.state, "", location.pathname + location.search + whole);
};
mend();
addEventListener("popstate", mend);

// 3. CRASH. A panic ends the Go program: sliders still move, nothing follows.
// The banner says so and offers to start again. The scenario is in the
// address, so reloading keeps it; if it is what ends the program, the second
// button leaves it behind.
const crash = (what) => {
  document.getElementById("app-wasm-loader")?.remove();
  if (document.getElementById("crash")) return;
  const banner = document.createElement("div");
  banner.id = "crash";
  banner.className = "notice bad";
  banner.setAttribute("role", "alert");
  const button = (text, press) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", press);
    return b;
  };
  const says = document.createElement("span");
  says.textContent = what + " The scenario is in the address and is kept.";
  banner.append(
    says,
    button("Reload", () => location.reload()),
    button("Start with the defaults", () => {
      history.replaceState(null, "", location.pathname + location.search);
      location.reload();
    }),
  );
  document.body.append(banner);
};
const ended = "The engine has stopped working: what you see no longer changes.";

const unloaded = (why) => crash(`The engine could not be loaded (${why}): what you see is the default scenario.`);

if (typeof WebAssembly === "undefined") {
  unloaded("this browser has no WebAssembly, or it is switched off");
  throw new Error("no WebAssembly");
}
const run = Go.prototype.run;
Go.prototype.run = async function (instance) {
  try {
    await run.call(this, instance); // settles only when the program ends
  } finally {
    crash(ended);
  }
};
addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError ||
      event.message?.includes("Go program has already exited")) crash(ended);
});

// 4. THE MODULE. The worker runs the same wasm: it is handed the compiled
// module, which costs nothing and can never be of another version than the
// page. Also the place where a failed download is noticed.
let gotModule;
const compiled = new Promise((resolve) => { gotModule = resolve; });
const instantiate = WebAssembly.instantiateStreaming?.bind(WebAssembly) ??
  (async (response, imports) => WebAssembly.instantiate(await (await response).arrayBuffer(), imports));
WebAssembly.instantiateStreaming = async (response, imports) => {
  try {
    const result = await instantiate(response, imports);
    gotModule(result.module);
    return result;
  } catch (err) {
    unloaded(err.message);
    throw err;
  }
};

// 5. WHAT WAS TYPED EARLY. The page is read and filled in before the program
// runs, and the program draws its own page over it. What the reader typed is
// put into the new fields, by their id, and announced to them as if typed
// there; the focus and the selection follow.
const rendered = document.body.firstElementChild; // until the program draws
const typed = new Map();
const noteTyped = ({ target: { id, type, value, checked } }) => {
  if (id) typed.set(id, type === "checkbox" || type === "radio" ? { checked } : { value });
};
let focus = null;
const noteFocus = () => {
  const field = document.activeElement;
  if (rendered.isConnected) {
    focus = field.id ? { id: field.id, start: field.selectionStart ?? null, end: field.selectionEnd ?? null } : null;
  }
};
const noteBlur = () => setTimeout(noteFocus); // not when the field itself goes
const early = [
  ["input", noteTyped], ["change", noteTyped],
  ["focusin", noteFocus], ["selectionchange", noteFocus], ["focusout", noteBlur],
];
const goThere = ({ target }) => {
  const field = document.getElementById("f-" + target.closest?.("[data-act=go]")?.dataset.key.replaceAll(".", "-"));
  field?.closest("details")?.setAttribute("open", "");
  if (!field) return;
  target.closest("[popover]")?.hidePopover();
  field.focus();
};
early.push(["click", goThere]);
for (const [type, hear] of early) document.addEventListener(type, hear, true);

new MutationObserver((_, observer) => {
  if (rendered.isConnected) return;
  observer.disconnect();
  for (const [type, hear] of early) document.removeEventListener(type, hear, true);
  for (const [id, state] of typed) {
    const field = document.getElementById(id);
    if (!field) continue;
    Object.assign(field, state);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const field = focus && document.activeElement === document.body && document.getElementById(focus.id);
  if (!field) return;
  field.focus({ preventScroll: true });
  // Not every field has a selection: a range has none.
  if (focus.start !== null) field.setSelectionRange(focus.start, focus.end);
}).observe(document.body, { childList: true });

// ON PAPER the link stands in full.
addEventListener("beforeprint", () => {
  const line = document.getElementById("printed-link");
  if (line) line.textContent = location.href;
});

// 6. A NEW VERSION is offered, never forced. The service worker that has it
// waits; go-app's OnAppUpdate tells the page, and partsize.update() lets it
// take over and reloads.
let waiting = null;
const offer = (worker) => {
  if (!navigator.serviceWorker.controller) return; // the first visit
  waiting = worker;
  window.goappOnUpdate();
};
(async () => {
  let registration;
  try {
    registration = await navigator.serviceWorker.ready;
  } catch {
    return; // a sandboxed frame, or an old browser: no updates either
  }
  if (registration.waiting) offer(registration.waiting);
  const watch = (worker) => worker?.addEventListener("statechange", () => {
    if (worker.state === "installed") offer(worker);
  });
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
})();

// What the page may call.
window.partsize = {
  // store keeps a text in this browser, if it lets us.
  store(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      // Full, or blocked since: it is not kept.
    }
  },

  // updatable says whether a new version waits. go-app also calls OnAppUpdate when the first one has been installed.
  get updatable() { return waiting !== null; },

  // update reloads the page, with the new version if one waits.
  update() {
    if (waiting?.state !== "installed") return location.reload(); // another tab has let it in
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take over");
  },

  // worker starts the program in a Web Worker, for a part of the work, and
  // returns it once it runs. In a sandboxed frame only a worker from a blob may
  // start. Where there is none at all the promise is rejected, and the page does
  // the work itself.
  async worker(part) {
    const at = (path) => new URL(path, document.baseURI).href;
    let worker;
    try {
      worker = new Worker(at("web/worker.js"));
    } catch {
      const script = new Blob([`importScripts(${JSON.stringify(at("web/worker.js"))});`], { type: "text/javascript" });
      worker = new Worker(URL.createObjectURL(script));
    }
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => { if (data === "ready") resolve(worker); };
      worker.onerror = (event) => {
        event.preventDefault(); // it is no error of the page
        reject(new Error(event.message || "the worker did not start"));
      };
    });
    worker.postMessage({ module: await compiled, wasmExec: at("wasm_exec.js"), part });
    return ready;
  },
};
