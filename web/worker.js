// Runs the page's program in a Web Worker, where it takes the worker's branch
// because there is no document. host.js sends the compiled module and the
// location of wasm_exec.js, then everything else is between the two Go sides.
"use strict";

onmessage = async ({ data: { module, wasmExec } }) => {
  onmessage = null; // the program sets its own
  importScripts(wasmExec);
  const go = new Go();
  await go.run(await WebAssembly.instantiate(module, go.importObject));
};
