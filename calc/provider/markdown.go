package provider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Markdown is the page that lists all services and their rules, with the sources.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# What managed services reserve, refuse and delete

<!-- Made from the rules in calc/provider; a test says when it is old (go test ./calc/provider -update writes it anew). -->

Facts are from public pages, each named with the day it was read and how well: *page read* is the whole page or source file, *excerpt
read* the passage that says it, *unverified* what the source implies without saying it. Services change their limits: the page is the
authority, not this list.

` + "`partsize check --service NAME FILE…`" + ` holds topics against one of them, ` + "`--service all`" + ` against all.

`)
	for _, s := range services {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.Name, Anchor(s.Name))
	}
	for _, s := range services {
		s.markdown(&b)
	}
	b.WriteString("\n## What may be given about an instance\n\n| option | default | what it is |\n|---|---|---|\n")
	for _, o := range options {
		doc := o.Doc
		if o.Assumed != "" {
			doc += " *Assumed: " + o.Assumed + ".*"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Key, o.Default, doc)
	}
	return b.String()
}

func (s *Service) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n`--service %s`\n", s.Name, s.ID)
	if len(s.Plans) > 0 {
		var plans []string
		for _, p := range s.Plans {
			plans = append(plans, fmt.Sprintf("`%s` (%s)", p.ID, p.Name))
		}
		fmt.Fprintf(b, "\nPlans: %s; the first when nothing is said.\n", strings.Join(plans, ", "))
	}
	if pairs := list(s.Defaults); pairs != "" {
		fmt.Fprintf(b, "\nWhen nothing is given, topics have %s.\n", pairs)
	}
	for _, p := range s.Plans {
		if pairs := list(p.Defaults); pairs != "" {
			fmt.Fprintf(b, "\nWith the plan %s they have %s.\n", p.Name, pairs)
		}
	}
	if len(s.Aliases) > 0 {
		var names []string
		for _, a := range s.Aliases {
			names = append(names, fmt.Sprintf("`%s` for `%s`", a.Key, a.Value))
		}
		fmt.Fprintf(b, "\nIts pages' names are understood: %s.\n", strings.Join(names, ", "))
	}
	if len(s.Rules) == 0 {
		b.WriteString("\nNo limit but Kafka's own.\n")
		return
	}
	b.WriteString("\n| rule | what the service does | when broken | source, day read |\n|---|---|---|---|\n")
	for i := range s.Rules {
		r := &s.Rules[i]
		says := r.Says
		if r.Doubt != "" {
			says += " *Unverified: " + r.Doubt + ".*"
		}
		for _, p := range r.Plans {
			if j := slices.IndexFunc(s.Plans, func(q Plan) bool { return q.ID == p }); len(r.Plans) < len(s.Plans) && len(s.Plans) > 1 {
				says += " (" + s.Plans[j].Name + ")"
			}
		}
		source := fmt.Sprintf("[%s](%s)", r.Source.Title, r.Source.URL)
		if r.Source.Edition != "" {
			source += ", " + r.Source.Edition
		}
		fmt.Fprintf(b, "| `%s`, %s | %s | %s | %s; %s, %s |\n", r.ID, r.Shape(), says, r.broken(), source, r.Source.Read, r.Source.Confidence)
	}
}

// broken is what comes of the rule when it is broken.
func (r *Rule) broken() string {
	var words []string
	if r.Ladder != nil {
		for _, g := range r.Ladder.Rungs {
			where := fmt.Sprintf("%d %%", g.Percent)
			switch {
			case g.FreeOption != "":
				where = "less free than `" + g.FreeOption + "`"
			case g.Free > 0:
				where = "less than " + g.Free.String() + " free"
			}
			words = append(words, where+": "+g.Effect.String())
		}
	} else {
		words = []string{r.Effect.String()}
	}
	text := strings.Join(words, "; ")
	if r.Error != "" {
		text += " (" + r.Error + ")"
	}
	return text
}

// list is pairs as key=value.
func list(pairs []calc.Pair) string {
	var all []string
	for _, p := range pairs {
		all = append(all, "`"+p.Key+"="+p.Value+"`")
	}
	return strings.Join(all, ", ")
}

// Anchor is the name that a heading has in a link.
func Anchor(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return -1
	}, strings.ToLower(heading))
}
