package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"7 d 0 h\u00a0min “x” … é":           "7 d 0 h\u00a0min “x” … é",
		"is שלום (12) x, א ב!":               "is \u2068שלום\u2069 (12) x, \u2068א ב\u2069!",
		"\u2068שלום\u2069 א\u202e":           "\u2068שלום\u2069 \u2068א\u2069\\u202e",
		"a\u202eb\u200f\u061c\x00\x1b\u0085": `a\u202eb\u200f\u061c\u0000\u001b\u0085`,
		"two\nlines\tof text":                "two\nlines\tof text",
		"\u2068שלום\u2069 12":                "\u2068שלום\u2069 12", // isolated, and closed
		"\u2069\u2068":                       `\u2069\u2068`,
		"\u2067x\u2069":                      `\u2067x\u2069`,
	} {
		assert.Equal(t, want, visible(text), "%q", text)
	}
}

func TestShorten(t *testing.T) {
	assert.Equal(t, "a b", shorten("a\nb"))
	assert.Equal(t, "\u2068שלום\u2069", shorten("שלום"))
	assert.Equal(t, `\u2069x\u202e`, shorten("\u2069x\u202e"))
	assert.Equal(t, strings.Repeat("é", 20)+"…", shorten(strings.Repeat("é", 21)))
	assert.Equal(t, "�", shorten("\xff"))
}

// Whatever is repeated in a sentence cannot reach beyond its own place.
func TestRepeatedTextStaysInItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\u202e\u2068\u2069\u2066\u200fא\n")))).Draw(t, "text")
		short := shorten(text)
		assert.True(t, balanced(short), "%q", short)
		assert.Equal(t, short, visible(short))
		inside := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(short, string(isolate)), "…"), string(popIsolate))
		assert.False(t, strings.ContainsFunc(inside, unseen), "%q", short)
		if strings.ContainsFunc(short, rightToLeft) {
			assert.True(t, strings.HasPrefix(short, string(isolate)))
		}
	})
}
