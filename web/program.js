// Which of the two programs the page runs, and the start of its download. The
// partition's is two thirds of the other, which has the other views as well and is
// fetched when one of them is opened. It runs before all else, so that the
// download does not wait for the style.
"use strict";

(() => {
  const whole = /[#&](view=(tiered|service|cluster)(&|$)|service=|c-[a-z]+=)/.test(location.hash);
  const program = whole ? "web/all.wasm" : "web/app.wasm";
  document.documentElement.dataset.program = program;
  if (new URLSearchParams(location.search).get("wasm") === "false") return;
  const preload = document.createElement("link");
  Object.assign(preload, { rel: "preload", as: "fetch", crossOrigin: "", href: program });
  document.head.append(preload);
})();
