package kafkaconf

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPropertiesAsJava compares the reader with java.util.Properties on 3,000 files, most of them random.
//
// Reference: testdata/java/Properties.java, which wrote the vectors.
func TestPropertiesAsJava(t *testing.T) {
	file, err := os.Open("testdata/java/properties.jsonl")
	require.NoError(t, err)
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		var vector struct {
			Text    string
			Entries [][2]string
			Error   string
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &vector))
		var got [][2]string
		malformed := false
		for p := range properties(vector.Text) {
			if malformed = p.malformed; malformed {
				break // Java stops here
			}
			got = append(got, [2]string{p.key, p.value})
		}
		if len(vector.Entries) == 0 {
			vector.Entries = nil
		}
		assert.Equal(t, vector.Entries, got, "%q", vector.Text)
		assert.Equal(t, vector.Error != "", malformed, "%q", vector.Text)
	}
	assert.Greater(t, count, 3000)
}

func TestPropertyLineNumbers(t *testing.T) {
	var got []int
	for p := range properties("# 1\r\na=1\r\nb=2,\\\r\n  3\rc=4\n\n\\\n\nd=5") {
		got = append(got, p.line)
	}
	assert.Equal(t, []int{2, 3, 5, 9}, got)
}
