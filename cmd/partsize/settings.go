package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
)

const settingsHelp = `usage: partsize settings [KEY …]

Lists the settings that simulate takes: Kafka's own keys, and a few of the
model's own for traffic and records. With keys, says all about each.
`

func settings(t *terminal, args []string) error {
	keys, err := parseArguments(flag.NewFlagSet("settings", flag.ContinueOnError), args)
	if err != nil {
		return t.asked(err, settingsHelp)
	}
	if len(keys) > 0 {
		return t.describeSettings(keys)
	}
	var b strings.Builder
	group := calc.Group("")
	for _, s := range calc.Settings() {
		if s.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = s.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		value := s.Default
		if value == "" {
			value = "(none)"
		}
		label := s.Label
		if !s.Followed {
			label += " (not followed)"
		}
		fmt.Fprintf(&b, "  %-40s %-20s %s\n", s.Key, value, label)
	}
	_, err = io.WriteString(t.out, b.String())
	return err
}

// describeSettings says all about some settings.
func (t *terminal) describeSettings(keys []string) error {
	var b strings.Builder
	for i, key := range keys {
		name := key
		key = provider.KafkasName(key)
		row, synonym, ok := calc.SettingOf(key)
		if !ok {
			hint := `"partsize settings" lists them`
			if near := calc.NearestKey(strings.ToLower(key)); near != "" {
				hint = "did you mean " + near + "?"
			}
			return bad(hint, "there is no setting %q", key)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", name)
		if name != key {
			fmt.Fprintf(&b, "  a managed service's name of Kafka's %s\n", key)
		}
		if synonym != nil {
			fmt.Fprintf(&b, "  the broker's default of the topic's %s\n", row.Key)
		}
		describe(&b, row)
	}
	_, err := io.WriteString(t.out, b.String())
	return err
}

func describe(b *strings.Builder, s calc.Setting) {
	fmt.Fprintf(b, "  %s\n", s.Doc)
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %-11s %s\n", name, text)
		}
	}
	field("default", s.Default)
	for _, o := range s.Older {
		field("", fmt.Sprintf("before Kafka %s: %s", o.Before, o.Default))
	}
	field("bounds", bounds(s))
	field("words", strings.Join(s.Words, ", "))
	var broker []string
	for _, synonym := range s.Inherits {
		broker = append(broker, synonym.Key)
	}
	field("broker", strings.Join(broker, ", "))
	if s.Since != 0 {
		field("since", "Kafka "+s.Since.String())
	}
	if s.Until != 0 {
		field("gone since", "Kafka "+s.Until.String())
	}
	if !s.Followed {
		field("ignored", s.Why)
	}
	field("source", s.Source)
}

// bounds is the least and the most of a number.
func bounds(s calc.Setting) string {
	switch s.Kind {
	case calc.KindSize:
		if s.Min < 0 {
			return fmt.Sprintf("up to %s", calc.Bytes(s.Max).Text())
		}
		return fmt.Sprintf("%s to %s", calc.Bytes(s.Min).Text(), calc.Bytes(s.Max).Text())
	case calc.KindDuration, calc.KindCount:
		return fmt.Sprintf("%d to %d", s.Min, s.Max)
	}
	return ""
}
