package calc

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// copied is a simulation as a copy of it would be: what lies in unused memory is not part of it.
func copied(s *Simulation) *Simulation {
	c := s.Clone()
	c.log.events, c.buffer = nil, nil
	return c
}

// An answer that was packed and unpacked is the same in every field, and goes on as the first would have.
func TestPackedGoesOn(t *testing.T) {
	tiered, states := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario
		if rapid.IntRange(0, 2).Draw(t, "tiered") == 0 {
			s = drawTiered
			tiered++
		}
		scenario := s(t)
		want := Run(scenario)
		got, ok := Unpack(scenario, want.Pack(false), nil)
		require.True(t, ok)
		a, b := want.Timeline, got.Timeline
		require.Len(t, b.checkpoints, len(a.checkpoints))
		for i, c := range a.checkpoints {
			unchanged(t, copied(c), copied(b.checkpoints[i]))
			states++
		}
		unchanged(t, copied(a.end), copied(b.end))
		at := Millis(rapid.Int64Range(0, int64(scenario.horizon)).Draw(t, "at"))
		one, two := a.At(at), b.At(at)
		for range 50 {
			_, more := one.Next()
			if _, ok := two.Next(); !more || !ok {
				break
			}
			assert.Equal(t, one.Step(), two.Step())
		}
		unchanged(t, copied(one), copied(two))
		a.checkpoints, a.end, b.checkpoints, b.end = nil, nil, nil, nil
		unchanged(t, a, b)
		want.Timeline, got.Timeline = nil, nil
		unchanged(t, &want, &got)
	})
	assert.NotZero(t, tiered)
	assert.Greater(t, states, 40)
}

// unchanged fails where two values differ, and says where: printed whole they are megabytes.
func unchanged(t *rapid.T, a, b any) {
	t.Helper()
	if where := difference(reflect.ValueOf(a), reflect.ValueOf(b)); where != "" {
		t.Fatalf("packing changes %T%s", a, where)
	}
}

// difference is the path to the first difference of two values of a type; "" when there is none.
func difference(a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return " is nil in one"
			}
			return ""
		}
		if a.Kind() == reflect.Interface && a.Elem().Type() != b.Elem().Type() {
			return " is a " + a.Elem().Type().String() + " and a " + b.Elem().Type().String()
		}
		if a.Kind() == reflect.Pointer && a.UnsafePointer() == b.UnsafePointer() {
			return ""
		}
		return difference(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if where := difference(a.Field(i), b.Field(i)); where != "" {
				return "." + a.Type().Field(i).Name + where
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return fmt.Sprintf(" has %d (nil: %v) and %d (nil: %v)", a.Len(), a.IsNil(), b.Len(), b.IsNil())
		}
		for i := range a.Len() {
			if where := difference(a.Index(i), b.Index(i)); where != "" {
				return fmt.Sprintf("[%d]", i) + where
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Sprintf(" has %d and %d", a.Len(), b.Len())
		}
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); !other.IsValid() || difference(a.MapIndex(key), other) != "" {
				return fmt.Sprintf("[%v]", key)
			}
		}
		return ""
	case reflect.Func:
		return ""
	}
	if !a.Equal(b) {
		return fmt.Sprintf(": %v and %v", a, b)
	}
	return ""
}

// With the first state alone the extremes are the same, and a moment is played from the start.
func TestPackedLean(t *testing.T) {
	s := scenarioOf(t, "produce", "10MiB/s", "disk", "1TiB", "partitions", "3", "horizon", "60d")
	want := Run(s)
	lean := want.Pack(true)
	assert.Less(t, len(lean), len(want.Pack(false)))
	got, ok := Unpack(s, lean, nil)
	require.True(t, ok)
	assert.Equal(t, want.Timeline.Peak(), got.Timeline.Peak())
	assert.Equal(t, want.Timeline.Envelope(), got.Timeline.Envelope())
	assert.Equal(t, want.Disk, got.Disk)
	assert.Equal(t, want.Timeline.At(40*Day).Directory(), got.Timeline.At(40*Day).Directory())
}

// What was cut is no answer, and no reason to end.
func TestPackedAndCut(t *testing.T) {
	s := scenarioOf(t, "steps", "3h restart 60s; 5d segment.bytes=2MiB", "enable.idempotence", "true")
	want := Run(s)
	packed := want.Pack(false)
	for n := 0; n < len(packed); n += 1 + n/6 {
		_, ok := Unpack(s, packed[:n], nil)
		assert.False(t, ok, "%d of %d bytes", n, len(packed))
	}
	_, ok := Unpack(s, append(packed, 0), nil)
	assert.False(t, ok)
}
