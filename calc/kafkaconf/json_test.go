package kafkaconf

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var jsonTexts = []string{
	`{}`, `[]`, ` `, `{`, `[`, `]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1,]`, `[1 2]`, `{"a" 1}`, `{1:2}`, `{"a":1 "b":2}`,
	`[0,-0,1.5,-1.25e+10,1E9,01]`, `[-]`, `[1.]`, `[1e]`, `[1e+]`, `[+1]`, `[.5]`, `[9223372036854775807,9223372036854775808,-9223372036854775808]`,
	`[true,false,null]`, `[tru]`, `[nul`, `[fals0]`, `[truefalse]`, `["\"\\\/\b\f\n\r\t"]`, `["\u00e4\ud83d\ude00\ud83dx\ude00\ud83d\u0041"]`, `["\x"]`, `["\u12g4"]`,
	"[\"\n\"]", "[\"\xff\xc3\"]", "[\"\\\xff\"]", "[\"\xff\\n\"]", `["`, `["\`, `["\u`, `["'`, `[']`, `{"a":[{"b":[[],{}]}],"a":null} x`, "\ufeff{}", "[\x00]", "\t\r\n [ 1 , 2 ] ",
	`{"Brokers":[{"broker":1,"LOGDIRS":null}],"\u0062rokers":[]}`, strings.Repeat("[", 150) + strings.Repeat("]", 150),
}

// What is JSON, what is wrong with it, and what it says, are as in encoding/json.
func TestJSON(t *testing.T) {
	for _, text := range jsonTexts {
		sameJSON(t, text)
	}
	_, err := findJSON(strings.Repeat("[", jsonDepth+1), 0)
	assert.ErrorContains(t, err, "more than 200 brackets")
}

func FuzzJSON(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "[")+strings.Count(text, "{") < jsonDepth {
			sameJSON(t, text)
		}
	})
}

func sameJSON(t *testing.T, text string) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	wantErr := d.Decode(&raw)
	start := skipJSONSpace(text, 0)
	v, err := findJSON(text, start)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(wantErr, io.EOF), errors.Is(wantErr, io.ErrUnexpectedEOF):
		assert.ErrorContains(t, err, "the JSON ends before its last bracket", "%q", text)
		return
	case errors.As(wantErr, &syntax):
		assert.EqualError(t, err, "is not JSON: "+syntax.Error(), "%q", text)
		var ours *jsonError
		require.ErrorAs(t, err, &ours)
		assert.Equal(t, int(syntax.Offset)-1, ours.at, "%q", text)
		return
	}
	require.NoError(t, err, "%q", text)
	assert.Equal(t, string(raw), text[start:v.end])
	sameValue(t, raw, v)
}

// sameValue compares a value as each of the types that are read.
func sameValue(t *testing.T, raw json.RawMessage, v jsonValue) {
	sameType(t, raw, v, jsonValue.string)
	sameType(t, raw, v, jsonValue.int32)
	sameType(t, raw, v, jsonValue.int64)
	sameType(t, raw, v, jsonValue.bool)

	switch {
	case v.isList():
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &want))
		n := 0
		require.NoError(t, v.each(func(name string, one jsonValue) error {
			assert.Empty(t, name)
			require.Less(t, n, len(want))
			sameValue(t, want[n], one)
			n++
			return nil
		}))
		assert.Len(t, want, n)
	case v.isObject():
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &want))
		got := map[string]jsonValue{}
		require.NoError(t, v.each(func(name string, one jsonValue) error { got[name] = one; return nil }))
		assert.Len(t, got, len(want))
		for name, one := range got {
			require.Contains(t, want, name)
			sameValue(t, want[name], one)
		}
	}
}

func sameType[T any](t *testing.T, raw json.RawMessage, v jsonValue, read func(jsonValue) (T, error)) {
	var want, got T
	wantErr := json.Unmarshal(raw, &want)
	err := readJSON(&got, v, read)
	assert.Equal(t, wantErr != nil, err != nil, "%s: %v, %v", raw, wantErr, err)
	if wantErr == nil {
		assert.Equal(t, want, got, "%s", raw)
	}
}

// Fields are found in any case, the last of two counts, null says nothing, and a value of another type is named by its path.
func TestLogDirsFields(t *testing.T) {
	read := func(text string) (logDirsObject, error) {
		v, err := findJSON(text, 0)
		require.NoError(t, err, text)
		var o logDirsObject
		return o, o.read(v)
	}
	o, err := read(`{"Partition":"t-0","SIZE":1,"size":7,"totalBytes":5,"totalBytes":null,"isFuture":true,"error":"x","error":null,"new":[{}]}`)
	require.NoError(t, err)
	assert.Equal(t, "t-0", o.partition)
	assert.Equal(t, int64(7), *o.size)
	assert.Equal(t, int64(5), o.total)
	assert.True(t, o.isFuture)
	assert.Nil(t, o.err)

	for text, want := range map[string]string{
		`[]`:             "a list where an object belongs",
		`{"brokers":{}}`: "brokers: an object where a list belongs",
		`{"brokers":[null,{"broker":2147483648}]}`:  "brokers.broker: the number 2147483648 where a whole number of 32 bits belongs",
		`{"brokers":[{"logDirs":[{"logDir":[]}]}]}`: "brokers.logDirs.logDir: a list where a string belongs",
		`{"error":{}}`:        "error: an object where a string belongs",
		`{"size":1.5}`:        "size: the number 1.5 where a whole number of 64 bits belongs",
		`{"offsetLag":false}`: "offsetLag: false where a whole number of 64 bits belongs",
		`{"isFuture":"yes"}`:  "isFuture: a string where true or false belongs",
	} {
		_, err := read(text)
		assert.EqualError(t, err, want, text)
	}
}
