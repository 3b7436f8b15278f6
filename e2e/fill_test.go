package e2e

import (
	"fmt"
	"strconv"
	"strings"
)

// fieldCSS is the field of a setting.
func fieldCSS(key string) string { return "#f-" + strings.ReplaceAll(key, ".", "-") }

// fill replaces what stands in the field of a setting, as a paste into it does.
func (p *tab) fill(key, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		for (let box = field.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
		field.focus();
		field.value = %s;
		field.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`, fieldCSS(key), quote(value)))
}

// quote is text as a literal of JavaScript.
func quote(text string) string { return strconv.QuoteToASCII(text) }
