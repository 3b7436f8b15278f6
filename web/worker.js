// Runs the page's program in a Web Worker, where it takes the worker's branch
// because there is no document. host.js sends the compiled module, the location
// of wasm_exec.js, and which part the program is to play; then everything else is
// between the two Go sides.
"use strict";

const start = async ({ module, wasmExec, part }) => {
  self.part = part;
  importScripts(wasmExec);
  const go = new Go();
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  throw new Error("the program in the worker has ended");
};

onmessage = ({ data }) => {
  onmessage = null; // the program sets its own
  start(data).catch(reportError); // the page hears of it
};
