package placement

import (
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// DefaultLogDir is log.dir when neither log.dirs nor log.dir is given.
const DefaultLogDir = "/tmp/kafka-logs"

// V4_2 is the first release that reads log.dirs as a list (KIP-1161).
const V4_2 calc.Version = 40200

// LogDirs is what Kafka reads in log.dirs and log.dir.
type LogDirs struct {
	Paths   []string // absolute, in configuration order, as Java's File has them
	Texts   []string // as they were given, one for each path
	Ignored []string // duplicates that Kafka leaves out, from 4.2 on
}

// ParseLogDirs reads the values of log.dirs and log.dir as a broker of a release does. dirs counts when it is given, even
// empty; log.dir is a list, too. A relative path is below work, the broker's working directory.
//
// White space around a comma goes. Before 4.2 empty entries go, white space at the very end stays, and it belongs to the
// last directory's name; from 4.2 on it goes, an empty entry (a trailing comma) is refused, and a text given twice is
// taken once. Two texts for one directory are refused in every release; links are not followed here.
//
// The error is a [*Refusal] where Kafka would not start.
//
// Kafka: AbstractKafkaConfig.logDirs, Csv.parseCsvList, ConfigDef.parseType, LogManager.createAndValidateLogDirs; KIP-1161.
func ParseLogDirs(version calc.Version, dirs, dir *string, work string) (LogDirs, error) {
	key, text := "log.dir", DefaultLogDir
	switch {
	case dirs != nil:
		key, text = "log.dirs", *dirs
	case dir != nil:
		text = *dir
	}
	var out LogDirs
	texts, ignored, err := splitDirs(version, key, text)
	if err != nil {
		return out, err
	}
	out.Ignored = ignored
	canonical := make(map[string]bool, len(texts))
	for _, t := range texts {
		path := cleanPath(t)
		if !strings.HasPrefix(path, "/") {
			path = cleanPath(work + "/" + path)
		}
		if c := canonicalPath(path); canonical[c] {
			return LogDirs{}, refuse(kafkaException, "Duplicate log directory found", "Duplicate log directory found: %s", strings.Join(texts, ", "))
		} else {
			canonical[c] = true
		}
		out.Texts, out.Paths = append(out.Texts, t), append(out.Paths, path)
	}
	return out, nil
}

// isJavaSpace is \s of Java's regular expressions.
func isJavaSpace(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }

// splitDirs parts a list as a release does.
func splitDirs(version calc.Version, key, text string) (texts, ignored []string, err error) {
	if version >= V4_2 {
		// String.trim takes everything up to the space.
		text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	}
	if text == "" {
		if version >= V4_2 {
			return nil, nil, refuse(configException, "must not be empty", "Configuration '%s' must not be empty. Valid values include: any non-empty value", key)
		}
		return nil, nil, refuse("java.lang.IllegalArgumentException", "At least one log directory",
			"requirement failed: At least one log directory must be defined via log.dirs or log.dir.")
	}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		if i > 0 {
			part = strings.TrimLeftFunc(part, isJavaSpace)
		}
		if i < len(parts)-1 {
			part = strings.TrimRightFunc(part, isJavaSpace)
		}
		switch {
		case part == "" && version >= V4_2:
			return nil, nil, refuse(configException, "must not be empty", "Configuration '%s' values must not be empty.", key)
		case part == "":
		case version >= V4_2 && slices.Contains(texts, part):
			ignored = append(ignored, part)
		default:
			texts = append(texts, part)
		}
	}
	if len(texts) == 0 {
		return nil, nil, refuse("java.lang.IllegalArgumentException", "At least one log directory",
			"requirement failed: At least one log directory must be defined via log.dirs or log.dir.")
	}
	return texts, ignored, nil
}

// canonicalPath is an absolute path without "." and "..".
func canonicalPath(path string) string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) > 0 {
				parts = parts[:len(parts)-1]
			}
		default:
			parts = append(parts, part)
		}
	}
	return "/" + strings.Join(parts, "/")
}
