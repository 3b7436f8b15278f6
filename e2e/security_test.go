package e2e

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is what names and values may be, from whoever gave the file or the link.
var hostile = []string{
	`"><script>window.hacked=1</script>`,
	`'"&<img src=x onerror=window.hacked=1>`,
	`</textarea></select></dialog></svg><iframe srcdoc="<script>parent.hacked=1</script>">`,
	`javascript:window.hacked=1`,
	"{{constructor}}${hacked=1}&lt;b&gt;",
	"one\ntwo\r\nthree\ttab",
	"\u202e}\u2066 admin \u202d\u200f",
	"\u2069\u2068\u2067x",
	"\u05e9\u05dc\u05d5\u05dd (12) [x]",
	"\x00\x07\x1b[31m",
}

// breached is everything on the page that could only come from a text that was taken for something else.
const breached = `(() => {
	const found = [];
	if (window.hacked) found.push("a script has run");
	for (const e of document.querySelectorAll("body *")) {
		if (/^(script|iframe|object|embed|style|link|base|meta|form)$/i.test(e.localName)) found.push("<" + e.localName + ">");
		if (e.localName === "img" && !e.src.endsWith("/web/icon.svg")) found.push("<img " + e.src + ">");
		for (const a of e.attributes) {
			if (/^on/i.test(a.name) || a.name === "style" || a.name === "srcdoc") found.push(e.localName + " " + a.name);
			if (/^(href|src|action|formaction)$/.test(a.name) && /^\s*(javascript|data):/i.test(a.value)) found.push(a.value);
		}
	}
	// In no text does a mark of direction reach beyond the text, and no script from right to left stands without an isolate.
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const text = texts.currentNode.data;
		if (texts.currentNode.parentElement.closest("textarea, option")) continue; // each is on its own
		if (/[\u0000-\u0008\u000b-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\ufeff]/.test(text)) found.push("a mark in " + JSON.stringify(text));
		const outside = text.replace(/\u2068[^\u2068\u2069]*\u2069/g, "");
		if (/[\u2068\u2069]/.test(outside)) found.push("an open isolate in " + JSON.stringify(text));
		if (/[\u0590-\u08ff]/.test(outside) && getComputedStyle(texts.currentNode.parentElement).unicodeBidi !== "isolate")
			found.push("right to left, not isolated: " + JSON.stringify(text));
	}
	return found;
})()`

// pastes are files in which everything that a person may name is one of those.
func pastes(evil string) map[string]string {
	line := strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(evil)
	return map[string]string{
		"properties": evil + "=" + evil + "\nretention.ms=" + evil + "\nlog.dirs=/a," + evil + "\nlog.retention.hours=5 " + evil + "\n",
		"describe": "Dynamic configs for topic " + line + " are:\n  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=3600000}\n" +
			"Dynamic configs for topic b" + line + " are:\n  " + line + "=1 sensitive=false synonyms={}\n",
		"topics": "Topic: " + line + "\tTopicId: x\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: retention.ms=" + line + "\n" +
			"\tTopic: " + line + "\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n",
		"log dirs": `{"version":1,"brokers":[{"broker":1,"logDirs":[{"error":` + quoteJSON(evil) + `,"logDir":` + quoteJSON(evil) +
			`,"partitions":[{"partition":` + quoteJSON(evil+"-0") + `,"size":5,"offsetLag":0,"isFuture":false}]}]}]}`,
		"series": "time,bytes/s," + line + "\n0,1\n60," + line + "\n120,5\n",
		"yaml":   "apiVersion: " + line + "\nkind: " + line + "\n",
	}
}

func quoteJSON(text string) string {
	q := fmt.Sprintf("%q", text)
	return regexp.MustCompile(`\\x(..)`).ReplaceAllString(strings.NewReplacer(`\a`, `\u0007`, `\x1b`, `\u001b`).Replace(q), `\u00$1`)
}

// What is in a link is text everywhere, as the key and as the value of everything, in the page and in a frame.
func TestHostileLinks(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	keys := eval[[]string](p, `[...document.querySelectorAll(".settings [name]")].map((f) => f.name)`)
	assert.Greater(t, len(keys), 50)
	for i, evil := range hostile {
		value := url.PathEscape(evil)
		var all strings.Builder
		fmt.Fprintf(&all, "v=1&%s=%s&%s", value, value, value)
		for _, key := range append(keys, "log.retention.hours", "log.segment.bytes") {
			all.WriteString("&" + key + "=" + value)
		}
		for _, fragment := range []string{
			all.String(), "v=" + value + "&view=" + value, "v=1&retention.ms=" + value + "&" + evil, fmt.Sprintf("v=1&%s=1", value),
		} {
			eval[bool](p, `location.hash = `+quote(fragment)+`, true`)
			p.waitFor(`document.querySelector("#notices").textContent !== "" || ` + fmt.Sprint(strings.HasPrefix(fragment, "v="+value)))
			eval[bool](p, `new Promise((done) => setTimeout(() => done(true), 150))`)
			assert.Empty(t, eval[[]string](p, breached), "%q in %s", evil, fragment[:20])
			assert.NotEmpty(t, p.text("#sentence"))
		}
		// The address is still what the link was, until the reader changes something.
		assert.Contains(t, eval[string](p, `location.hash`), "v=1&")
		if i < 3 || i == 6 { // in a frame of its own, from the start
			f := open(t, s.url+"embed/#"+all.String()+"&view=answer,form,"+value+"&lock="+value+"&theme="+value)
			f.ready()
			assert.Empty(t, eval[[]string](f, breached), "%q in a frame", evil)
			assert.Contains(t, f.text("#notices"), "There is no part")
		}
	}
}

// So is what is typed into any field, and what is pasted under any name.
func TestHostileTyping(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	keys := eval[[]string](p, `[...document.querySelectorAll(".settings [name]")].map((f) => f.name)`)
	for _, i := range []int{0, 1, 5, 6, 8} { // the links have the others
		evil := hostile[i]
		for _, key := range keys {
			p.fill(key, evil)
		}
		p.waitFor(`document.querySelectorAll(".field.error").length > 30`)
		eval[bool](p, `new Promise((done) => setTimeout(() => done(true), 300))`) // the details follow
		assert.Empty(t, eval[[]string](p, breached), "%q", evil)
	}
	eval[bool](p, `[...document.querySelectorAll(".settings [data-act=reset]")].find((b) => !b.dataset.key).click(), true`)
	p.waitFor(`document.querySelectorAll(".field.error").length === 0`)
}

func TestHostilePastes(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	for _, evil := range hostile {
		for name, file := range pastes(evil) {
			p.pasteText(file)
			p.waitFor(`document.querySelector(".paste-says").textContent !== ""`)
			assert.Empty(t, eval[[]string](p, breached), "%q, %s", evil, name)
		}
	}
	eval[bool](p, `document.querySelector("#paste").close(), true`)
	p.waitFor(`document.querySelector("#sentence").textContent !== ""`)
	assert.Empty(t, eval[[]string](p, breached))
}

// The other views take names, too: of topics, brokers, directories, services. In their links, in their fields, and in what is
// pasted there.
func TestHostileViews(t *testing.T) {
	s := serve(t, "/x/")
	own := map[string][]string{
		"tiered":  {"tiered.topics"},
		"service": {"service", "plan", "topics", "ask.topic", "ask.create", "ask.add", "ask.set", "why.topic", "why.record", "why.at", "storage", "daily.volume", "keep", "disk"},
		"cluster": {"c-brokers", "c-dirs", "c-size", "c-topics", "c-if", "c-ulimit", "c-maps", "c-seed", "c-feed", "c-where", "c-at", "c-by", "c-from", "c-of", "c-base"},
	}
	for view, keys := range own {
		t.Run(view, func(t *testing.T) {
			p := open(t, s.url+"#v=1&view="+view)
			p.ready()
			settle := func() { eval[bool](p, `new Promise((done) => setTimeout(() => done(true), 300))`) }
			for i, evil := range hostile {
				value := url.PathEscape(evil)
				link := "v=1&remote.storage.enable=true&view=" + view
				for _, key := range keys {
					link += "&" + key + "=" + value
				}
				named := "v=1&remote.storage.enable=true&service=ibm&view=" + view + // where a name alone is strange, and the rest is not
					"&topics=" + value + "!3!produce:1MB/s;" + value + "&ask.create=" + value + "!3" +
					"&c-topics=" + value + ",3,3,1MiB/s,even,;b,1,1,1KiB/s,even," + value + "&tiered.topics=" + value + "!produce:1MB/s"
				for _, fragment := range []string{link, named} {
					eval[bool](p, `location.hash = `+quote(fragment)+`, true`)
					settle()
					assert.Empty(t, eval[[]string](p, breached), "%q in the link", evil)
				}
				if i != 0 && i != 1 && i != 6 && i != 8 {
					continue
				}
				eval[bool](p, `(() => {
					for (const field of document.querySelectorAll("main :is(input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea)")) {
						field.value = `+quote(evil)+`;
						for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, {bubbles: true}));
					}
					return true;
				})()`)
				settle()
				assert.Empty(t, eval[[]string](p, breached), "%q typed", evil)
			}
			if view != "cluster" {
				return
			}
			for _, evil := range hostile {
				for _, name := range []string{"log dirs", "topics", "describe"} {
					p.goTo(s.url + "#v=1&view=" + view)
					p.reload()
					p.ready()
					p.paste(pastes(evil)[name])
					settle()
					assert.Empty(t, eval[[]string](p, breached), "%q pasted as %s", evil, name)
				}
			}
		})
	}
}

// The policy stands in each page before all that it rules, allows nothing inline and no other host; what it forbids is tried,
// and does not happen.
func TestPolicy(t *testing.T) {
	s := serve(t, "/x/")
	pages := 0
	require.NoError(t, filepath.WalkDir(s.dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".html") {
			pages++
			page, err := os.ReadFile(name)
			require.NoError(t, err)
			head, _, _ := strings.Cut(string(page), "<body")
			policy := strings.Index(head, `http-equiv="Content-Security-Policy"`)
			assert.Positive(t, policy, name)
			assert.Contains(t, strings.ReplaceAll(head, "&#39;", "'"), "default-src 'none'", name)
			for _, part := range []string{"src=", "href=", "<style"} {
				if at := strings.Index(head, part); at >= 0 {
					assert.Less(t, policy, at, "%s: %s comes before the policy", name, part)
				}
			}
			assert.NotContains(t, head, "unsafe-inline", name)
		}
		return err
	}))
	assert.GreaterOrEqual(t, pages, 3)
	for _, page := range []string{"", "embed/"} {
		p := open(t, "")
		p.expect("Content Security Policy")
		p.expect("violates the document's")
		p.expect("asks another host") // it does not get that far; the harness hears of it when it is tried
		p.goTo(s.url + page)
		p.ready()
		policy := eval[string](p, `document.querySelector("meta[http-equiv=Content-Security-Policy]").content`)
		directives := map[string]string{}
		for d := range strings.SplitSeq(policy, "; ") {
			name, value, _ := strings.Cut(d, " ")
			directives[name] = value
		}
		assert.Equal(t, "'none'", directives["default-src"])
		assert.Equal(t, "'self' 'wasm-unsafe-eval'", directives["script-src"])
		assert.Equal(t, "'self'", directives["style-src"])
		assert.Equal(t, "'self'", directives["connect-src"])
		assert.Equal(t, "'none'", directives["form-action"])
		for name, value := range directives {
			assert.NotContains(t, value, "unsafe-inline", name)
			assert.NotContains(t, value, "'unsafe-eval'", name)
			assert.NotContains(t, value, "*", name)
			assert.NotContains(t, value, "http", name)
		}
		assert.Equal(t, []string{}, eval[[]string](p, `(async () => {
			const source = new DOMParser().parseFromString(await (await fetch(location.href.split("#")[0])).text(), "text/html");
			const inline = [...source.querySelectorAll("script:not([src]), style, [style]")].map((e) => e.outerHTML.slice(0, 80));
			for (const e of source.querySelectorAll("*")) for (const a of e.attributes) if (a.name.startsWith("on")) inline.push(a.name);
			return inline;
		})()`), page)

		refused := eval[[]string](p, `(async () => {
			const refused = [];
			document.addEventListener("securitypolicyviolation", (e) => refused.push(e.effectiveDirective));
			const add = (tag, attributes, text) => {
				const e = document.createElement(tag);
				for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
				e.textContent = text ?? "";
				document.body.append(e);
				return e;
			};
			add("script", {}, "window.hacked = 1");
			add("script", {src: "http://other.example/x.js"});
			add("p", {style: "color: red"});
			add("style", {}, "body { color: red }");
			add("img", {src: "http://other.example/x.png"});
			add("iframe", {src: "http://other.example/"});
			add("object", {data: "http://other.example/"});
			add("base", {href: "http://other.example/"});
			add("button", {onclick: "window.hacked = 1"}).click();
			setTimeout("window.hacked = 1"); // eval itself is let through where a driver evaluates
			await fetch("http://other.example/", {mode: "no-cors"}).catch(() => {});
			try { new WebSocket("ws://other.example/"); } catch {}
			navigator.sendBeacon("http://other.example/", "x");
			add("form", {action: "http://other.example/"}).submit();
			await new Promise((done) => setTimeout(done, 300));
			return window.hacked ? ["hacked"] : [...new Set(refused)].sort();
		})()`)
		if page == "" {
			assert.Contains(t, refused, "base-uri")
		}
		assert.Equal(t, s.url, eval[string](p, `new URL("./", document.baseURI).href`), "the base stays")
		for _, directive := range []string{
			"connect-src", "form-action", "frame-src", "img-src", "object-src", "script-src", "script-src-attr", "script-src-elem",
			"style-src-attr", "style-src-elem",
		} {
			assert.Contains(t, refused, directive, page)
		}
		assert.NotContains(t, refused, "hacked")
	}
}

// What is pasted or typed is in no storage of the browser, unless the reader asks for it.
func TestNothingIsStoredUnasked(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.installed()
	const secret = "86400123"
	p.pasteText("retention.ms=" + secret + "\nsecret.key." + secret + "=secret" + secret + "\nlog.dirs=/secret" + secret + "\n")
	p.waitFor(`!!document.querySelector("#paste-read")`)
	eval[bool](p, `document.querySelector("#paste").close(), true`)
	p.fill("segment.ms", secret)
	p.waitFor(`location.hash.includes("segment.ms=` + secret + `")`)
	p.click("#theme")
	eval[bool](p, `new Promise((done) => setTimeout(() => done(true), 700))`)
	const stored = `(async () => {
		const all = {local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie, name: window.name, caches: [], databases: []};
		for (const name of await caches.keys())
			for (const request of await (await caches.open(name)).keys()) all.caches.push(request.url);
		all.databases = (await indexedDB.databases()).map((d) => d.name);
		return all;
	})()`
	all := eval[map[string]any](p, stored)
	assert.NotContains(t, fmt.Sprint(all), secret)
	assert.Equal(t, map[string]any{}, all["session"])
	assert.Equal(t, "", all["cookie"])
	assert.Empty(t, all["databases"])
	for key := range all["local"].(map[string]any) {
		assert.True(t, strings.HasPrefix(key, "partsize."), key)
	}

	// A frame keeps nothing at all.
	f := open(t, serve(t, "/x/").url+"embed/#view=answer,form")
	f.ready()
	f.fill("segment.ms", secret)
	f.waitFor(`location.hash.includes("` + secret + `")`)
	all = eval[map[string]any](f, stored)
	assert.Equal(t, map[string]any{}, all["local"])
	assert.Empty(t, all["caches"])
	assert.Empty(t, all["databases"])
}

// No message from anybody changes the page.
func TestMessagesAreIgnored(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, "")
	p.goTo(host(t, "<main><h1>Host</h1>"+iframe(s.url+"#retention.ms=1d", "")+"</main>"))
	f := p.frame("/x/#")
	f.expect("service worker registration failed")
	f.ready()
	q := open(t, s.url+"#retention.ms=1d")
	q.ready()
	q.installed()
	const junk = `for (const data of [
		"take over", "ready", "update", null, undefined, 0, "", [], {}, {goapp: {type: "notification", path: "#retention.ms=1"}},
		{module: {}, wasmExec: "http://other.example/x.js"}, {"datawrapper-height": {partsize: 1}}, "<script>alert(1)</script>",
		'{"context":"iframe.resize","height":1}', {type: "goapp:notify", options: {}}, "x".repeat(1e6), new Uint8Array(10), new Map([[1, 2]]),
	])`
	before := f.text("main")
	eval[any](p, `(() => {`+junk+` document.querySelector("iframe").contentWindow.postMessage(data, "*"); })()`)
	eval[any](f, `new Promise((done) => setTimeout(done, 300))`)
	assert.Equal(t, before, f.text("main"))

	// Nor does any to the service worker, from whoever may speak to it.
	before = q.text("main")
	eval[any](q, `(() => { window.before = true; `+junk+` { postMessage(data); navigator.serviceWorker.controller.postMessage(data); } })()`)
	eval[any](q, `new Promise((done) => setTimeout(done, 300))`)
	assert.Equal(t, before, q.text("main"))
	assert.True(t, eval[bool](q, `window.before && !document.getElementById("crash")`))
}
