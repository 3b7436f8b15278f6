package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// described is a document of JSON, and commands that together write every field of it.
type described struct {
	document, from string // the part of the document that is about fields begins here
	files          map[string]string
	commands       []string
}

var describedJSON = []described{
	{"cluster-json.md", "## Answer", map[string]string{"c.json": `{"format":"partsize-cluster/1",
"brokers":[{"count":3,"log.dirs":"/a,/b","size":"100GiB"}],
"topics":[{"name":"t","partitions":4,"replication.factor":2,"produce":"1MiB/s","skew":"zipf","settings":{"retention.ms":"1d"}}],
"steps":[{"at":"5d","settings":{"retention.ms":"1h"}},{"at":"9d","lose_broker":2}]}`}, []string{"cluster c.json --format json"}},
	{"check-service-json.md", "## One service", map[string]string{"t.txt": `Dynamic configs for topic orders are:
  retention.bytes=53687091200 sensitive=false synonyms={}
Dynamic configs for topic users are:
  cleanup.policy=compact sensitive=false synonyms={}
  retention.bytes=1073741824 sensitive=false synonyms={}
`}, []string{
		"check --service ibm-event-streams t.txt storage=2TB partitions=40 produce=1MB/s --json",
		"check --service apsaramq produce=1MB/s disk=300GB --json",
		"check --service all partitions=36 storage=2TB retention.bytes=50GiB --json",
	}},
	{"read-json.md", "| field |", map[string]string{
		"server.properties": "log.retention.hours=24\nlog.retention.bytes=1GB\n",
		"topics.txt":        "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: segment.bytes=1048576\n\tTopic: t\tPartition: 0\tReplicas: 1\n",
		"dirs.txt":          `{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"t-0","size":5,"offsetLag":7,"isFuture":true}]}]}]}`,
		"traffic.csv":       "time,MiB/s\n2026-01-01T00:00:00Z,5\n2026-01-01T01:00:00Z,6\n",
		"ibm.txt":           "Details for topic t\nTopic name   Internal?   Partition count   Replication factor\nt   false   2   3\n",
	}, []string{
		"read server.properties topics.txt dirs.txt traffic.csv ibm.txt --json", "read missing.txt --json",
		"read formats/testdata/inputs/strimzi-kafka-1.yaml formats/testdata/inputs/ls-1.txt formats/testdata/inputs/ls-3.txt " +
			"formats/testdata/inputs/du-1.txt formats/testdata/inputs/terraform-3.tf formats/testdata/inputs/cruise-control-2.json --json",
	}},
	{"metadata-check.md", "## The JSON", nil, []string{
		"check produce=5MiB/s retention.ms=30d remote.storage.enable=true __remote_log_metadata:retention.ms=7d --json",
	}},
}

// inData are the fields whose keys are data: settings, reasons, kinds.
var inData = map[string]bool{"cleanings": true, "config": true, "replicas": true, "broker": true, "effective": true, "rejected_values": true,
	"dirs": true}

var (
	codeText = regexp.MustCompile("`[^`]+`")
	codeWord = regexp.MustCompile(`[a-z][a-zA-Z0-9_]*`)
)

// The documents of JSON name every field that the commands write, and no other.
func TestJSONIsAsDocumented(t *testing.T) {
	for _, d := range describedJSON {
		text, err := os.ReadFile(filepath.Join("../../docs", d.document))
		require.NoError(t, err)
		_, about, found := strings.Cut(string(text), d.from)
		require.True(t, found, d.document)
		written := map[string]bool{}
		for _, command := range d.commands {
			var value any
			require.NoError(t, json.Unmarshal([]byte(outputIn(t, d.files, command)), &value), command)
			fieldsIn(value, written)
		}
		named, first := map[string]bool{}, map[string]bool{}
		for line := range strings.Lines(about) {
			cells := strings.SplitN(line, "|", 3)
			for at, cell := range cells {
				for _, code := range codeText.FindAllString(cell, -1) {
					for _, word := range codeWord.FindAllString(code, -1) {
						named[word] = true
						if at == 1 && len(cells) == 3 {
							first[word] = true
						}
					}
				}
			}
		}
		for field := range written {
			if strings.Contains(field, ".") {
				continue // a key of Kafka's
			}
			assert.True(t, named[field], "%s says nothing of %s", d.document, field)
		}
		for field := range first {
			assert.True(t, written[field], "%s has %s, which no command here writes", d.document, field)
		}
	}
}

// outputIn is what a command prints that finds these files.
func outputIn(t *testing.T, files map[string]string, command string) string {
	t.Helper()
	dir := t.TempDir()
	args := strings.Fields(command)
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		for i := range args {
			if args[i] == name {
				args[i] = filepath.Join(dir, name)
			}
		}
	}
	text, code := runCommand(t, args)
	require.Equal(t, strings.Contains(command, "missing"), code == exitBad, command)
	return text
}

// fieldsIn notes the fields of a value and of those in it.
func fieldsIn(value any, fields map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			fieldsIn(one, fields)
		}
	case map[string]any:
		for field, one := range value {
			fields[field] = true
			if !inData[field] {
				fieldsIn(one, fields)
			}
		}
	}
}
