// <partsize-embed>: Partsize in another page, as high as what it shows.
//
//   <script async src="https://HOST/PATH/web/embed.js"></script>
//   <partsize-embed scenario="v=1&amp;retention.ms=1d" view="answer,chart">
//     What stands here is shown until the frame is ready, and for ever without script.
//   </partsize-embed>
//
// Attributes: scenario (a link's part after the #), view, lock, theme (see
// app/embed.go), label (the frame's title). It needs script-src and frame-src of
// this host, and no style-src.
"use strict";

(() => {
  const name = "partsize-embed";
  if (customElements.get(name)) return; // the script is there twice
  const page = new URL("../embed/", document.currentScript.src);

  customElements.define(name, class extends HTMLElement {
    static observedAttributes = ["scenario", "view", "lock", "theme", "label"];
    #slot = document.createElement("slot");
    #box = document.createElement("div");
    #frame = null;
    #seen = null;

    connectedCallback() {
      if (!this.shadowRoot) {
        this.attachShadow({ mode: "open" }).append(this.#box);
        this.#box.style.position = "relative";
      }
      if (getComputedStyle(this).display === "inline") this.style.display = "block";
      this.#slot.style.display = "";
      this.#box.replaceChildren(this.#slot);
      this.#seen = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#start();
      }, { rootMargin: "200px" });
      this.#seen.observe(this);
    }

    disconnectedCallback() {
      this.#seen.disconnect();
      removeEventListener("message", this.#hear);
      this.#frame = null;
    }

    // A change reaches the frame as a step to another fragment, which is no entry
    // in the reader's history.
    attributeChangedCallback() {
      if (!this.#frame) return;
      this.#dress();
      this.#frame.contentWindow.location.replace(this.#address());
    }

    #address() {
      const own = ["view", "lock", "theme"].filter((key) => this.hasAttribute(key))
        .map((key) => `${key}=${encodeURIComponent(this.getAttribute(key)).replaceAll("%2C", ",")}`);
      const scenario = this.getAttribute("scenario")?.replace(/^#/, "");
      const all = [scenario, ...own].filter(Boolean).join("&");
      return all ? `${page}#${all}` : `${page}`;
    }

    #start() {
      this.#seen.disconnect();
      this.#frame = document.createElement("iframe");
      Object.assign(this.#frame.style, { display: "block", width: "100%", border: "0", position: "absolute", visibility: "hidden" });
      this.#dress();
      this.#frame.src = this.#address();
      addEventListener("message", this.#hear);
      this.#box.append(this.#frame);
    }

    #dress() {
      const theme = this.getAttribute("theme");
      this.#frame.title = this.getAttribute("label") || "Disk use of a Kafka partition";
      // With the same scheme on both sides the browser lets the host's ground through.
      this.#frame.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
    }

    // Only a height is taken, from our own frame alone, as long as it shows our own page.
    #hear = ({ source, origin, data }) => {
      if (source !== this.#frame?.contentWindow) return;
      if (origin !== page.origin && !(origin === "null" && self.origin === "null")) return; // a sandboxed host has sandboxed frames
      const height = data?.["datawrapper-height"]?.partsize;
      if (!Number.isInteger(height) || height < 1 || height > 50000) return;
      this.#slot.style.display = "none";
      Object.assign(this.#frame.style, { position: "static", visibility: "visible", height: `${height}px` });
    };
  });
})();
