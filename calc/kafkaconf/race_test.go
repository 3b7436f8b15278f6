//go:build race

package kafkaconf

const raceEnabled = true
