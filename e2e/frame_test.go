package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// In a frame of another site, with its storage blocked or in a sandbox, the
// page is alive: it has drawn itself, it answers, its worker runs.
func TestFramesOfOtherSites(t *testing.T) {
	for name, attributes := range map[string]string{
		"cross-origin": ``,
		"sandboxed":    `sandbox="allow-scripts"`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, "/x/")
			p := open(t, "")
			p.goTo(host(t, fmt.Sprintf(`<iframe src="%s?embed=1#v=1&view=cluster" width=600 height=400 title="Partsize" %s></iframe>`, s.url, attributes)))
			f := p.frame("/x/?embed=1")
			// There is no offline in such a frame, and go-app says so.
			f.expect("service worker registration failed")
			f.ready()

			assert.True(t, eval[bool](f, `"value" in Object.getOwnPropertyDescriptor(window, "localStorage")`),
				"this browser does not block the storage, so the test proves nothing")
			assert.True(t, eval[bool](f, `(() => {
				localStorage.setItem("partsize.test", "kept");
				return localStorage.getItem("partsize.test") === "kept";
			})()`), "storage works, at least for this page")
			assert.True(t, eval[bool](f, `typeof goappNav === "function" && !document.getElementById("crash")`))
			assert.Equal(t, 7, eval[int](f, `(async () => {
				const worker = await partsize.worker();
				const answer = new Promise((resolve) => { worker.onmessage = (e) => resolve(e.data.turn); });
				worker.postMessage({turn: 7, do: "look", where: "", policy: "", at: "0", from: 0});
				return answer;
			})()`))
		})
	}
}
