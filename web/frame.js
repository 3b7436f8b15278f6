// In frames of other pages, before the first paint: what is shown, the theme, and
// how high it all is. The fragment says it, beside the scenario:
//   view=answer,chart   parts; see app/embed.go
//   theme=light|dark    else the system decides. With a theme of its own the
//                       ground is the host's, else it is ours: light text on a
//                       light host cannot be read.
// It listens to no message. What it sends is a height, and the address that the
// host itself gave; in both forms that documentation hosts understand.
"use strict";

(() => {
  const page = document.documentElement;
  const read = () => {
    const link = new URLSearchParams(location.hash.slice(1));
    const theme = link.get("theme");
    if (theme === "light" || theme === "dark") page.dataset.theme = theme;
    else delete page.dataset.theme;
    const parts = link.get("view");
    if (parts) page.dataset.view = parts.replaceAll(",", " ");
    else delete page.dataset.view;
    for (const key of ["v", "view", "lock", "theme"]) link.delete(key);
    // What is rendered is the answer to the defaults, and is not shown for another
    // scenario while the program loads.
    page.toggleAttribute("data-other", link.size > 0);
  };
  read();
  addEventListener("hashchange", read);

  if (parent === window) return;
  const src = location.href;
  addEventListener("DOMContentLoaded", () => {
    const loader = document.getElementById("app-wasm-loader");
    let told;
    const tell = () => {
      // Until the program has drawn there is nothing to make room for.
      if (loader?.isConnected || document.getElementById("crash")) return;
      const height = Math.ceil(page.getBoundingClientRect().height);
      if (height === told) return;
      told = height;
      parent.postMessage(JSON.stringify({ src, context: "iframe.resize", height }), "*");
      parent.postMessage({ "datawrapper-height": { partsize: height } }, "*");
    };
    new ResizeObserver(tell).observe(page);
    new MutationObserver(tell).observe(document.body, { childList: true });
  });
})();
