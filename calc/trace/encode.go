package trace

import (
	"strconv"

	"github.com/partsize/partsize/calc"
)

// AppendJSON appends the trace as the recorder writes it: the same keys in the same order, one line a step, event and
// sample.
func (t *Trace) AppendJSON(b []byte) []byte {
	b = append(b, `{"format":`...)
	b = appendText(b, TraceFormat)
	b = append(b, ",\n\"kafka_version\":"...)
	b = appendText(b, t.KafkaVersion)
	b = t.appendHead(b)
	b = append(b, ",\n\"order\":"...)
	b = appendText(b, t.Order)
	b = t.appendTimes(b)
	b = append(b, ",\n\"steps\":"...)
	b = appendLines(b, t.Steps, (*Step).appendJSON)
	b = append(b, ",\n\"events\":"...)
	b = appendLines(b, t.Events, (*Event).appendJSON)
	b = append(b, ",\n\"samples\":"...)
	b = appendLines(b, t.Samples, (*Sample).appendJSON)
	return append(b, "}\n"...)
}

// AppendJSON appends the scenario as the recorder reads it, in the order and lines of a trace.
func (s *Scenario) AppendJSON(b []byte) []byte {
	b = append(b, `{"format":`...)
	b = appendText(b, ScenarioFormat)
	b = s.appendHead(b)
	b = s.appendTimes(b)
	if s.StopAfterEvents >= 0 {
		b = appendField(b, ",\n\"stop_after_events\":", s.StopAfterEvents)
	}
	if s.RowLimit >= 0 {
		b = appendField(b, ",\n\"row_limit\":", s.RowLimit)
	}
	b = append(b, ",\n\"steps\":"...)
	b = appendLines(b, s.Steps, (*Step).appendJSON)
	return append(b, "}\n"...)
}

func (s *Scenario) appendHead(b []byte) []byte {
	b = append(b, ",\n\"name\":"...)
	b = appendText(b, s.Name)
	b = append(b, ",\n\"description\":"...)
	b = appendText(b, s.Description)
	b = appendField(b, ",\n\"epoch_ms\":", s.Epoch)
	b = append(b, ",\n\"topic\":"...)
	b = appendSettings(b, s.Topic)
	b = append(b, ",\n\"broker\":"...)
	return appendSettings(b, s.Broker)
}

func (s *Scenario) appendTimes(b []byte) []byte {
	b = appendField(b, ",\n\"sample_every_ms\":", s.SampleEvery)
	return appendField(b, ",\n\"until_ms\":", s.Until)
}

// appendLines appends an array with a line for each item.
func appendLines[T any](b []byte, items []T, appendItem func(*T, []byte) []byte) []byte {
	if len(items) == 0 {
		return append(b, "[]"...)
	}
	for i := range items {
		if i == 0 {
			b = append(b, "[\n"...)
		} else {
			b = append(b, ",\n"...)
		}
		b = appendItem(&items[i], b)
	}
	return append(b, "\n]"...)
}

func (s *Step) appendJSON(b []byte) []byte {
	b = appendField(b, `{"at":`, s.At)
	switch do := s.Do.(type) {
	case calc.Append:
		b = append(b, `,"append":`...)
		b = s.appendAppend(b, &do)
	case calc.Configure:
		b = append(b, `,"configure":`...)
		b = appendSettings(b, s.Changed)
	case calc.DeleteRecords:
		b = appendField(b, `,"delete_records":{"before":`, do.Before)
		b = append(b, '}')
	case calc.Restart:
		b = appendField(b, `,"restart":{"down_ms":`, do.Down)
		b = append(b, `,"clean":true}`...)
	case calc.HighWatermark:
		switch do.Offset {
		case followLogEnd:
			b = append(b, `,"high_watermark":"follow"`...)
		case freezeHere:
			b = append(b, `,"high_watermark":"freeze"`...)
		default:
			b = appendField(b, `,"high_watermark":`, do.Offset)
		}
	case calc.CopiedTo:
		b = appendField(b, `,"copied_to":`, do.Offset)
	case calc.CopyEvery:
		b = appendField(b, `,"copy_every":`, do.Period)
	case calc.DeleteTopic:
		b = append(b, `,"delete_topic":true`...)
	}
	return append(b, '}')
}

func (s *Step) appendAppend(b []byte, a *calc.Append) []byte {
	b = appendField(b, `{"every":`, a.IntervalNum)
	b = appendField(b, `,"count":`, a.Count)
	b = appendField(b, `,"records":`, a.Records)
	b = appendField(b, `,"key":`, s.Key)
	b = append(b, `,"value":`...)
	b = appendNumbers(b, s.Values)
	b = append(b, `,"batch":`...)
	if len(a.Cycle) > 0 {
		b = appendNumbers(b, a.Cycle)
	} else {
		b = strconv.AppendInt(b, int64(a.Batch), 10)
	}
	b = append(b, `,"timestamp":`...)
	b = appendTimestamp(b, &a.Timestamp)
	if a.Spread != 0 {
		b = appendField(b, `,"spread":`, a.Spread)
	}
	if a.Follower {
		b = append(b, `,"role":"follower"`...)
	} else {
		b = append(b, `,"role":"leader"`...)
	}
	if a.Batches != 1 {
		b = appendField(b, `,"batches":`, a.Batches)
	}
	if a.Producer >= 0 {
		b = appendField(b, `,"producer":`, a.Producer)
		b = appendField(b, `,"producers":`, a.Producers)
	}
	if a.Offset >= 0 {
		b = appendField(b, `,"offset":`, a.Offset)
	}
	return append(b, '}')
}

func appendTimestamp(b []byte, t *calc.Timestamp) []byte {
	switch {
	case t.Kind == calc.AbsentTimestamp:
		return append(b, `"none"`...)
	case t.Kind == calc.AppendTimestamp && t.Shift == 0:
		return append(b, `"append"`...)
	case t.Kind == calc.AppendTimestamp:
		b = appendField(b, `{"shift":`, t.Shift)
	case t.Kind == calc.CycledTimestamp:
		b = append(b, `{"shift":`...)
		b = appendNumbers(b, t.Shifts)
	case t.Step == 0:
		b = appendField(b, `{"fixed":`, t.From)
	default:
		b = appendField(b, `{"from":`, t.From)
		b = appendField(b, `,"step":`, t.Step)
	}
	return append(b, '}')
}

func (e *Event) appendJSON(b []byte) []byte {
	b = appendField(b, `{"t":`, e.T)
	b = append(b, `,"kind":`...)
	b = appendText(b, e.Kind)
	if e.HasBase {
		b = appendField(b, `,"base":`, e.Base)
	}
	if e.Reason != "" {
		b = append(b, `,"reason":`...)
		b = appendText(b, e.Reason)
	}
	return append(b, '}')
}

func (s *Sample) appendJSON(b []byte) []byte {
	b = appendField(b, `{"t":`, s.T)
	b = append(b, `,"why":`...)
	b = appendText(b, s.Why)
	b = appendField(b, `,"log_start":`, s.LogStart)
	if s.LocalStart >= 0 {
		b = appendField(b, `,"local_start":`, s.LocalStart)
	}
	b = appendField(b, `,"log_end":`, s.LogEnd)
	b = appendField(b, `,"size":`, s.Size)
	b = appendField(b, `,"apparent":`, s.Apparent)
	b = appendField(b, `,"allocated":`, s.Allocated)
	if s.HasRows {
		b = append(b, `,"segments":`...)
		b = appendRows(b, s.Segments)
		b = append(b, `,"deleted":`...)
		b = appendRows(b, s.Deleted)
		b = append(b, `,"other":{`...)
		for i, file := range s.Other {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(b, file.Name)
			b = appendField(b, ":", file.Size)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendRows(b []byte, rows []Row) []byte {
	b = append(b, '[')
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendList(b, rows[i][:])
	}
	return append(b, ']')
}

// appendNumbers appends one number as itself, several as an array.
func appendNumbers[T ~int64](b []byte, numbers []T) []byte {
	if len(numbers) == 1 {
		return strconv.AppendInt(b, int64(numbers[0]), 10)
	}
	return appendList(b, numbers)
}

func appendList[T ~int64](b []byte, numbers []T) []byte {
	b = append(b, '[')
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

func appendField[T ~int64](b []byte, field string, n T) []byte {
	return strconv.AppendInt(append(b, field...), int64(n), 10)
}

// appendSettings appends settings as JSON has them: a whole number, true or false, or else text.
func appendSettings(b []byte, settings Settings) []byte {
	b = append(b, '{')
	for i, s := range settings {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s.Key)
		b = append(b, ':')
		if n, ok := plainNumber(s.Text); ok {
			b = strconv.AppendInt(b, n, 10)
		} else if s.Text == "true" || s.Text == "false" {
			b = append(b, s.Text...)
		} else {
			b = appendText(b, s.Text)
		}
	}
	return append(b, '}')
}

// plainNumber is the number that a setting's text is, when it is one.
func plainNumber(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text[0] != '+'
}

// appendText appends a JSON string with the escapes of Jackson, the recorder's writer: what JSON asks for and no more.
func appendText(b []byte, text string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			if c < ' ' {
				b = append(b, `\u00`...)
				b = append(b, hex[c>>4], hex[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}
