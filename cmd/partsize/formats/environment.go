package formats

import (
	"regexp"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
)

// variable is an environment variable that a container makes a broker's setting of.
type variable struct {
	name, value string
	line        int
}

// readEnvironment reads a file of environment variables, as docker's --env-file and a shell take it.
func readEnvironment(text string, options kafkaconf.Options) (*Reading, error) {
	var all []variable
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "export ")), "=")
		if !ok {
			continue
		}
		all = append(all, variable{strings.TrimSpace(name), unquoted(value), number})
	}
	r := &Reading{}
	settings, refused := r.settings(all)
	if settings == nil {
		return nil, errUnknown
	}
	r.assemble(kafkaconf.FormatEnv, settings, nil, options)
	r.refuse(refused)
	return r, nil
}

// unquoted is a value without the quotes around it, and without a comment behind it.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			return value[1 : 1+end]
		}
	}
	if before, _, ok := strings.Cut(value, " #"); ok {
		return strings.TrimSpace(before)
	}
	return value
}

// settingOf is the key that a container makes of a variable's name: KAFKA_LOG_RETENTION_HOURS, in Bitnami's image with
// KAFKA_CFG_.
//
// Source: Confluent's docker images, "_ becomes ., __ becomes _, ___ becomes -".
func settingOf(name string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(name, "KAFKA_")
	if !ok {
		return "", false
	}
	rest = strings.TrimPrefix(rest, "CFG_")
	return strings.ToLower(underscores.Replace(rest)), rest != ""
}

var underscores = strings.NewReplacer("___", "-", "__", "_", "_", ".")

// withDefault is a value of a shell that stands for another variable and says what holds without it: ${HOURS:-168}.
var withDefault = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*):?-([^${}]*)\}$`)

// elsewhere is a reference to a variable.
var elsewhere = regexp.MustCompile(`\$\{[^}]*\}|\$[A-Za-z_][A-Za-z0-9_]*`)

// settings makes a broker's settings of variables; nil: there are none. refused has those whose value is filled in elsewhere.
func (r *Reading) settings(all []variable) (settings []kafkaconf.Setting, refused []kafkaconf.Refusal) {
	for _, v := range all {
		key, ok := settingOf(v.name)
		if !ok {
			continue
		}
		if settings == nil {
			settings = []kafkaconf.Setting{}
		}
		if m := withDefault.FindStringSubmatch(v.value); m != nil {
			r.warn(v.line, "%s is %s unless %s is set elsewhere", v.name, m[2], m[1])
			v.value = m[2]
		}
		if _, _, known := calc.SettingOf(key); known && elsewhere.MatchString(v.value) {
			r.warn(v.line, "%s value '%s' invalid: it is filled in elsewhere; give the value itself", v.name, elsewhere.ReplaceAllString(v.value, "$${...}"))
			refused = append(refused, kafkaconf.Refusal{Line: int64(v.line), Problem: calc.FieldError{
				Key: key, Value: v.value, Problem: "is filled in elsewhere", Hint: "give the value itself"}})
			continue
		}
		settings = append(settings, kafkaconf.Setting{Key: key, Value: v.value, Line: v.line})
	}
	return settings, refused
}

// refuse adds values that Kafka does not take to those of the settings.
func (r *Reading) refuse(refused []kafkaconf.Refusal) {
	for _, f := range refused {
		if r.Config.Rejected == nil {
			r.Config.Rejected = map[string]string{}
		}
		r.Config.Rejected[f.Problem.Key] = f.Problem.Value
	}
	r.Config.Refused = append(r.Config.Refused, refused...)
	slices.SortStableFunc(r.Config.Refused, func(a, b kafkaconf.Refusal) int { return int(a.Line - b.Line) })
}
