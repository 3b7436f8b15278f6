package trace

import (
	"encoding/json"

	"github.com/partsize/partsize/calc/placement"
)

// AppendJSON appends the trace in the recorder's format.
func (t *Trace) AppendJSON(out []byte) []byte {
	head := struct {
		Format       string   `json:"format"`
		KafkaVersion string   `json:"kafka_version"`
		JavaVersion  string   `json:"java_version,omitempty"`
		Name         string   `json:"name"`
		Description  string   `json:"description,omitempty"`
		Prefix       string   `json:"prefix,omitempty"`
		LogDirs      []string `json:"log.dirs,omitempty"`
		Cordoned     []string `json:"cordoned,omitempty"`
		Metadata     bool     `json:"metadata,omitempty"`
		DeleteDelay  *int64   `json:"delete_delay_ms,omitempty"`
		TaskDelay    *int64   `json:"initial_task_delay_ms,omitempty"`
		Dirs         []string `json:"dirs,omitempty"`
		Paths        []string `json:"paths,omitempty"`
	}{Format: t.Format, KafkaVersion: t.KafkaVersion, JavaVersion: t.JavaVersion, Name: t.Name, Description: t.Description}
	key, rows := "cases", [][]byte{}
	switch t.Format {
	case LogDirsFormat:
		head.Prefix, head.LogDirs, head.Cordoned, head.Metadata = t.Prefix, t.LogDirs.LogDirs, t.Cordoned, t.Metadata
		head.DeleteDelay, head.TaskDelay = (*int64)(&t.DeleteDelay), (*int64)(&t.InitialTaskDelay)
		head.Dirs, head.Paths = t.Dirs, t.Paths
		key = "steps"
		for i := range t.Rows {
			rows = append(rows, quoted(&t.Rows[i]))
		}
	case ReplicasFormat:
		for i := range t.Replicas {
			rows = append(rows, quoted(&t.Replicas[i]))
		}
	default:
		for i := range t.Creation {
			rows = append(rows, quoted(&t.Creation[i]))
		}
	}
	text := quoted(head)
	out = append(out, text[:len(text)-1]...)
	out = append(out, `,"`+key+`":[`...)
	for i, row := range rows {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, '\n'), row...)
	}
	return append(out, "\n]}\n"...)
}

// MarshalJSON writes the row as the recorder does.
func (r *Row) MarshalJSON() ([]byte, error) {
	row := struct {
		Step     Step             `json:"step"`
		Dir      *json.RawMessage `json:"dir,omitempty"`
		Existing bool             `json:"existing,omitempty"`
		Error    string           `json:"error,omitempty"`
		Names    []string         `json:"names,omitempty"`
		Failed   []string         `json:"failed,omitempty"`
		Halt     bool             `json:"halt,omitempty"`
		T        int64            `json:"t"`
		Live     *[]string        `json:"live,omitempty"`
		Next     *[]string        `json:"next,omitempty"`
		Counted  *[]int           `json:"counted,omitempty"`
		Disk     [][4]int         `json:"disk"`
	}{
		Step: r.Step, Existing: r.Existing, Error: r.Error, Names: r.Names, Failed: r.Failed, Halt: r.Halt, T: int64(r.T), Disk: r.Disk,
	}
	switch {
	case r.Dir != "":
		dir := json.RawMessage(quoted(r.Dir))
		row.Dir = &dir
	case r.Step.Kind == "move" && r.Error == "":
		null := json.RawMessage("null")
		row.Dir = &null
	}
	if r.Up {
		row.Live, row.Next, row.Counted = &r.Live, &r.Next, &r.Counted
	}
	return json.Marshal(row)
}

// MarshalJSON writes the case as the recorder does.
func (c *ReplicaCase) MarshalJSON() ([]byte, error) {
	type broker struct {
		ID     int32   `json:"id"`
		Rack   *string `json:"rack"`
		Fenced bool    `json:"fenced"`
	}
	type topic struct {
		Start             int `json:"start"`
		Partitions        int `json:"partitions"`
		ReplicationFactor int `json:"rf"`
	}
	type result struct {
		Draws       [][2]int32 `json:"draws"`
		Assignments *[][]int32 `json:"assignments,omitempty"`
		Error       string     `json:"error,omitempty"`
	}
	out := struct {
		Name    string   `json:"name"`
		Seed    int64    `json:"seed"`
		Brokers []broker `json:"brokers"`
		Topics  []topic  `json:"topics"`
		Results []result `json:"results"`
	}{Name: c.Name, Seed: c.Seed, Brokers: []broker{}, Topics: []topic{}, Results: []result{}}
	for _, b := range c.Brokers {
		row := broker{ID: b.ID, Fenced: b.Fenced}
		if b.Racked {
			row.Rack = &b.Rack
		}
		out.Brokers = append(out.Brokers, row)
	}
	for _, t := range c.Topics {
		out.Topics = append(out.Topics, topic(t))
	}
	for i := range c.Results {
		r := &c.Results[i]
		row := result{Draws: append([][2]int32{}, r.Draws...), Error: r.Error}
		if r.Error == "" {
			row.Assignments = &r.Assignments
		}
		out.Results = append(out.Results, row)
	}
	return json.Marshal(out)
}

// MarshalJSON writes the case as the recorder does.
func (c *CreationCase) MarshalJSON() ([]byte, error) {
	type topic struct {
		Name     string    `json:"name"`
		Replicas [][]int32 `json:"replicas"`
	}
	out := struct {
		Broker    int32    `json:"broker"`
		Topics    []topic  `json:"topics"`
		Leaders   []string `json:"leaders"`
		Followers []string `json:"followers"`
	}{Broker: c.Broker, Topics: []topic{}, Leaders: c.Leaders, Followers: c.Followers}
	for i := range c.Topics {
		out.Topics = append(out.Topics, newTopic(&c.Topics[i]))
	}
	return json.Marshal(out)
}

func newTopic(t *placement.NewTopic) (row struct {
	Name     string    `json:"name"`
	Replicas [][]int32 `json:"replicas"`
}) {
	row.Name, row.Replicas = t.Name, append([][]int32{}, t.Replicas...)
	return row
}
