// Which of the two programs the page runs, and the start of its download. The
// partition's is two thirds of the other, which has the other views as well and is
// fetched when one of them is opened. It runs before all else, so that the
// download does not wait for the style.
"use strict";

(() => {
  if (new URLSearchParams(location.search).get("wasm") === "false") return;
  // A view has a page of its own, to be read before a program runs; what follows is
  // the whole page's, at the whole page's address.
  const { of } = document.documentElement.dataset;
  if (of) {
    const link = location.hash.slice(1) || "v=1";
    const view = /(^|&)view=/.test(link) ? "" : `&view=${of}`;
    history.replaceState(history.state, "", `./${location.search}#${link}${view}`);
  }
  const whole = /[#&](view=(tiered|service|cluster)(&|$)|view=[^&]*(lanes|metadata)|service=|c-[a-z]+=)/.test(location.hash);
  const program = whole ? "web/all.wasm" : "web/app.wasm";
  document.documentElement.dataset.program = program;
  const preload = document.createElement("link");
  Object.assign(preload, { rel: "preload", as: "fetch", crossOrigin: "", href: program });
  document.head.append(preload);
})();
