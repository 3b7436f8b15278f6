package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/partsize/partsize/calc/provider"
)

// servicesFile is the page of all rules of all services, which needs no program.
const servicesFile = "services.html"

// servicesPolicy lets it have its style and theme, and nothing else.
const servicesPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// writeServices writes the page from what is also docs/services.md.
func writeServices(dir string) error {
	body := markdownHTML(provider.Markdown())
	page := `<!DOCTYPE html><html lang="en"><head>
<meta charset="UTF-8"/>
<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(servicesPolicy) + `"/>
<meta content="width=device-width, initial-scale=1" name="viewport"/>
<title>What managed Kafka services reserve, refuse and delete: Partsize</title>
<script src="web/theme.js"></script>
<link href="web/style.css" rel="stylesheet" type="text/css"/>
<link href="web/icon.svg" rel="icon"/>
<meta content="The limits of managed Kafka services that decide over disks, each with its source." name="description"/>
<meta name="color-scheme" content="light dark"/>
</head><body><a class="skip" href="#rules">Skip to the rules</a>
<header class="top"><span class="brand">Partsize</span><nav class="views" aria-label="Views"><a href="./">Calculator</a></nav></header>
<main class="main rules" id="rules" tabindex="-1">
` + body + `</main>
</body></html>
`
	return os.WriteFile(filepath.Join(dir, servicesFile), []byte(page), 0o644)
}

var (
	mdCode     = regexp.MustCompile("`([^`]*)`")
	mdLink     = regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`)
	mdEmphasis = regexp.MustCompile(`\*([^*]+)\*`)
)

// markdownHTML turns that part of Markdown into HTML which [provider.Markdown] writes: headings, paragraphs, lists, tables,
// code, links and emphasis.
func markdownHTML(text string) string {
	var b strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		switch {
		case strings.HasPrefix(lines[0], "<!--"): // for who reads the file
		case strings.HasPrefix(lines[0], "# "):
			fmt.Fprintf(&b, "<h1>%s</h1>\n", inline(lines[0][2:]))
		case strings.HasPrefix(lines[0], "## "):
			title := lines[0][3:]
			fmt.Fprintf(&b, "<h2 id=%q>%s</h2>\n", provider.Anchor(title), inline(title))
		case strings.HasPrefix(lines[0], "- "):
			b.WriteString("<ul>\n")
			for _, line := range lines {
				fmt.Fprintf(&b, "<li>%s</li>\n", inline(strings.TrimPrefix(line, "- ")))
			}
			b.WriteString("</ul>\n")
		case strings.HasPrefix(lines[0], "|") && len(lines) > 2:
			writeTable(&b, lines)
		default:
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(strings.Join(lines, " ")))
		}
	}
	return b.String()
}

// writeTable writes a table; its second line is only the rule below the heads.
func writeTable(b *strings.Builder, lines []string) {
	cells := func(line string) []string { return strings.Split(strings.Trim(line, "| "), " | ") }
	b.WriteString("<table class=\"data lines-up\"><thead><tr>")
	heads := strings.Split(strings.Trim(lines[0], "| "), " | ")
	for _, head := range heads {
		fmt.Fprintf(b, "<th scope=\"col\">%s</th>", inline(head))
	}
	b.WriteString("</tr></thead><tbody>\n")
	for _, line := range lines[2:] {
		b.WriteString("<tr>")
		for i, cell := range cells(line) {
			if i == 0 {
				fmt.Fprintf(b, "<th scope=\"row\">%s</th>", inline(cell))
			} else {
				fmt.Fprintf(b, "<td>%s</td>", inline(strings.TrimSpace(cell)))
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>\n")
}

// inline is text with its code, links and emphasis.
func inline(text string) string {
	text = html.EscapeString(text)
	text = mdCode.ReplaceAllString(text, "<code>$1</code>")
	text = mdLink.ReplaceAllStringFunc(text, func(link string) string {
		parts := mdLink.FindStringSubmatch(link)
		rel := ` rel="noreferrer"`
		if strings.HasPrefix(parts[2], "#") {
			rel = ""
		}
		return `<a href="` + parts[2] + `"` + rel + `>` + parts[1] + `</a>`
	})
	return mdEmphasis.ReplaceAllString(text, "<em>$1</em>")
}
