package calc

import (
	"fmt"
	"strings"
)

// Limits of lists in one setting.
const (
	maxSeries  = 100_000
	maxHeaders = 1000
	maxWeight  = 1_000_000 // 10,000 %
)

// ratePoint is a rate from a time on.
type ratePoint struct {
	at   Millis
	rate Rate
}

// parsePercent reads a percent with at most two digits after the point, and a sign before it, in hundredths of a percent.
func parsePercent(text string) (int64, *FieldError) {
	s := strings.TrimSpace(text)
	sign := int64(1)
	if after, ok := strings.CutPrefix(s, "+"); ok {
		s = after
	} else if after, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = after, -1
	} else if after, ok := strings.CutPrefix(s, "−"); ok {
		s, sign = after, -1
	}
	n, err := parseScaled(s, 100, true)
	if err != nil {
		if sign < 0 && err.Nearest != "" {
			err.Nearest = "-" + err.Nearest
		}
		return 0, err.at("", text)
	}
	return sign * n, nil
}

// parseWeights reads percents with commas between, in hundredths of a percent: for the parts of a day, or the seven days of
// a week.
func parseWeights(text string, week bool) ([]int64, *FieldError) {
	switch n := strings.Count(text, ",") + 1; {
	case week && n != 1 && n != 7:
		return nil, bad(text, fmt.Sprintf("has %d percents", n)).hint("give 7, one for each day, or 1")
	case !week && (n > 24 || int64(Day)%int64(n) != 0):
		return nil, bad(text, fmt.Sprintf("has %d percents", n)).hint("give 1 to 24 that divide the day into equal parts: 1, 2, 3, 4, 6, 8, 12 or 24")
	}
	parts := strings.Split(text, ",")
	weights := make([]int64, len(parts))
	wrong := partErrors{text: text}
	for i, part := range parts {
		n, err := parseScaled(part, 100, true)
		if err == nil && n > maxWeight {
			err = badNearest(part, "is above 10000%, the most there is", "10000%")
		}
		wrong.add(i, part, err)
		weights[i] = n
	}
	return weights, wrong.err()
}

// parseSeries reads times and rates, in order of time, with commas, semicolons or new lines between.
func parseSeries(text string) ([]ratePoint, *FieldError) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var points []ratePoint
	wrong := partErrors{text: text}
	i := -1
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if i++; i == maxSeries {
			return nil, bad(text, fmt.Sprintf("has more than %d entries", maxSeries)).hint("take averages over longer times")
		}
		point, err := parseRatePoint(part)
		if err == nil {
			err = point.follows(points, part)
		}
		if wrong.add(i, part, err); err == nil {
			points = append(points, point)
		}
	}
	return points, wrong.err()
}

// follows is what is wrong with a point as the next of others.
func (p ratePoint) follows(points []ratePoint, part string) *FieldError {
	if len(points) == 0 {
		return nil
	}
	last := points[len(points)-1]
	switch {
	case p.at <= last.at:
		return bad(part, fmt.Sprintf("is not later than the one before it, %s", last.at.Text())).hint("sort the entries by time, each time once")
	case !p.rate.Zero() && !seriesKind(points).Zero() && p.rate.records != seriesKind(points).records:
		return bad(part, "mixes bytes and records").hint("give all in bytes or all in records")
	}
	return nil
}

// seriesKind is a rate of the series that is not nothing, if there is one.
func seriesKind(points []ratePoint) Rate {
	for _, p := range points {
		if !p.rate.Zero() {
			return p.rate
		}
	}
	return Rate{}
}

func parseRatePoint(part string) (ratePoint, *FieldError) {
	before, after, ok := strings.Cut(strings.TrimSpace(part), ":")
	if !ok {
		return ratePoint{}, bad(part, "has no colon").hint("write a time and a rate, as in 1h:2MiB/s")
	}
	at, err := timeDimension.parse(before, 1)
	if err != nil {
		return ratePoint{}, err
	}
	rate, err := parseRate(after)
	if err != nil {
		return ratePoint{}, err
	}
	return ratePoint{Millis(at), rate}, nil
}

// parseHeaders reads the lengths of record headers: key:value pairs with commas between, NxKEY:VALUE for N equal ones.
func parseHeaders(text string) ([]Header, *FieldError) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || strings.EqualFold(trimmed, "none") || trimmed == "0" {
		return nil, nil
	}
	var headers []Header
	wrong := partErrors{text: text}
	for i, part := range strings.Split(text, ",") {
		header, count, err := parseHeader(part)
		if err != nil {
			wrong.add(i, part, err)
			continue
		}
		if int64(len(headers))+count > maxHeaders {
			return nil, bad(text, fmt.Sprintf("is more than %d headers", maxHeaders))
		}
		for range count {
			headers = append(headers, header)
		}
	}
	return headers, wrong.err()
}

func parseHeader(part string) (h Header, count int64, err *FieldError) {
	s := strings.TrimSpace(part)
	count = 1
	for _, times := range []string{"x", "×", "*"} {
		if before, after, ok := strings.Cut(s, times); ok {
			if count, err = parseCount(before); err != nil {
				return h, 0, err
			}
			s = after
			break
		}
	}
	key, value, ok := strings.Cut(s, ":")
	if !ok {
		return h, 0, bad(part, "has no colon").hint("write the lengths of key and value, as in 8:16")
	}
	n, err := parsed(ParseBytes(key))
	if err != nil {
		return h, 0, err
	}
	h.Key, h.Value = Bytes(n), Null
	if v := strings.ToLower(strings.TrimSpace(value)); v != "null" {
		if n, err = parsed(ParseBytes(value)); err != nil {
			return h, 0, err
		}
		h.Value = Bytes(n)
	}
	if h.Key > 1<<20 || h.Value > 1<<30 {
		return h, 0, bad(part, "is longer than a header can sensibly be: 1 MiB for the key, 1 GiB for the value")
	}
	return h, count, nil
}

// stepText is a part of the setting steps.
type stepText struct {
	at   Millis
	do   Action // nil when sets holds settings, or when record is set
	sets []Pair
	// record: one record is appended whose timestamp is shift from the clock
	record bool
	shift  Millis
	text   string
}

const maxSteps = 1000

// parseSteps reads what happens meanwhile, in order of time; what comes at one time stays in its order. With an error the
// steps are those that are right.
func parseSteps(text string) ([]stepText, *FieldError) {
	var steps []stepText
	wrong := partErrors{text: text}
	i := -1
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if i++; i == maxSteps {
			return nil, bad(text, fmt.Sprintf("has more than %d entries", maxSteps))
		}
		step, err := parseStep(part)
		if err != nil {
			wrong.add(i, part, err)
			continue
		}
		at := len(steps)
		for at > 0 && steps[at-1].at > step.at {
			at--
		}
		steps = append(steps, stepText{})
		copy(steps[at+1:], steps[at:])
		steps[at] = step
	}
	return steps, wrong.err()
}

// stepVerbs are the things that can happen, with what follows the word.
var stepVerbs = [...]string{
	"delete-records", "restart", "high-watermark", "hold-high-watermark", "follow-high-watermark", "record-timestamp",
	"copied-to", "copy-every", "delete-topic", "remote-down", "remote-up", "hold-last-stable-offset", "follow-last-stable-offset",
}

func parseStep(part string) (stepText, *FieldError) {
	fields := strings.Fields(part)
	step := stepText{text: strings.Join(fields, " ")}
	at, err := timeDimension.parse(fields[0], 1)
	if err != nil {
		return step, err
	}
	step.at = Millis(at)
	if len(fields) == 1 {
		return step, bad(part, "does not say what happens then").hint("write it as in 5d retention.ms=1h, or with one of " +
			strings.Join(stepVerbs[:], ", "))
	}
	verb, args := fields[1], fields[2:]
	if strings.Contains(verb, "=") {
		for _, f := range fields[1:] {
			key, value, ok := strings.Cut(f, "=")
			if !ok {
				return step, bad(part, fmt.Sprintf("has %s, which is no key=value", shown(f)))
			}
			step.sets = append(step.sets, Pair{key, value})
		}
		return step, nil
	}
	if err := argumentCount(part, verb, args); err != nil {
		return step, err
	}
	switch verb {
	case "delete-records":
		n, err := parseCount(args[0])
		step.do = DeleteRecords{Offset(n)}
		return step, err
	case "restart":
		n := int64(0)
		if len(args) > 0 {
			n, err = timeDimension.parse(args[0], 1)
		}
		step.do = Restart{Millis(n)}
		return step, err
	case "high-watermark":
		n, err := parseCount(args[0])
		step.do = HighWatermark{Offset(n)}
		return step, err
	case "hold-high-watermark":
		step.do = HighWatermark{-2}
	case "follow-high-watermark":
		step.do = HighWatermark{-1}
	case "record-timestamp":
		step.record = true
		step.shift, err = parseSigned(args[0])
		if err == nil && (step.shift > Millis(century) || step.shift < -Millis(century)/2) {
			err = bad(part, "is more than 100 years ahead or 50 years ago")
		}
		return step, err
	case "copied-to":
		n, err := parseCount(args[0])
		step.do = CopiedTo{Offset(n)}
		return step, err
	case "copy-every":
		n, err := timeDimension.parse(args[0], 1)
		step.do = CopyEvery{Millis(n)}
		return step, err
	case "delete-topic":
		step.do = DeleteTopic{}
	case "remote-down":
		n := int64(Never)
		if len(args) > 0 {
			n, err = timeDimension.parse(args[0], 1)
		}
		if err == nil && n == 0 {
			err = bad(part, "has an outage of no time").hint("say how long, or leave the time out and write remote-up later")
		}
		step.do = RemoteStore{Millis(n)}
		return step, err
	case "remote-up":
		step.do = RemoteStore{}
	case "hold-last-stable-offset":
		step.do = LastStable{-2}
	case "follow-last-stable-offset":
		step.do = LastStable{-1}
	}
	return step, nil
}

// argumentCount is what is wrong with a verb or the number of words after it.
func argumentCount(part, verb string, args []string) *FieldError {
	least, most := 1, 1
	switch verb {
	case "delete-topic", "hold-high-watermark", "follow-high-watermark", "remote-up", "hold-last-stable-offset",
		"follow-last-stable-offset":
		least, most = 0, 0
	case "restart", "remote-down":
		least = 0
	}
	known := func(yield func(string) bool) {
		for _, v := range stepVerbs {
			if !yield(v) {
				return
			}
		}
	}
	for v := range known {
		if v != verb {
			continue
		}
		switch {
		case len(args) < least:
			return bad(part, fmt.Sprintf("has nothing after %s", verb))
		case len(args) > most:
			return bad(part, fmt.Sprintf("has more after %s than it takes: %s", verb, shown(strings.Join(args[most:], " "))))
		}
		return nil
	}
	e := bad(part, fmt.Sprintf("has %s, which is nothing that can happen", shown(verb)))
	if near := nearest(verb, known); near != "" {
		e.Nearest = near
	} else {
		e.Hint = "there are key=value and " + strings.Join(stepVerbs[:], ", ")
	}
	return e
}
