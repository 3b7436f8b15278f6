// Sets the theme before the first paint, so that nothing flashes: ?theme= of an
// embedded page first, then the reader's choice, else the system decides.
// The toggle is the page's; it sets data-theme and stores the choice under the
// same key. Keys are prefixed, because all sites of one host share the storage.
(() => {
  let theme = new URLSearchParams(location.search).get("theme");
  if (!theme) {
    try {
      theme = localStorage.getItem("partsize.theme");
    } catch {
      // Storage is blocked: the system decides.
    }
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
