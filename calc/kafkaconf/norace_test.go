//go:build !race

package kafkaconf

const raceEnabled = false
