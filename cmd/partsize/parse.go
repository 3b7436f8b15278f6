package main

import (
	"errors"
	"fmt"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/cmd/partsize/formats"
)

// configFile is the configuration that a file holds.
type configFile struct {
	*kafkaconf.Result
	version string // of Kafka, where a manifest names it
}

// parseConfig reads the configuration in a file of any format, named in options.
func parseConfig(data []byte, options kafkaconf.Options) (configFile, error) {
	name := options.Name
	format := kafkaconf.Detect(data, name)
	if !formats.Reads(format) {
		r, err := kafkaconf.Parse(data, options)
		switch {
		case errors.Is(err, kafkaconf.ErrIsSeries):
			return configFile{}, bad("give it with --series "+name, "%s: is a traffic series, and no configuration", name)
		case err != nil:
			return configFile{}, bad(configHint(err), "%s: %v", name, err)
		}
		return configFile{Result: r}, nil
	}
	read, err := formats.Read(data, format, options)
	if err != nil {
		return configFile{}, bad(configHint(err), "%s: looks like %s, and %v", name, format, err)
	}
	if read.Config == nil {
		return configFile{}, bad("see what is in it with partsize read "+name, "%s: looks like %s, and is no configuration", name, format)
	}
	f := configFile{Result: read.Config}
	f.Warnings = append(f.Warnings, read.Warnings...)
	if c := read.Shape.Cluster; c != nil && c.Version != "" {
		if _, err := calc.ParseVersion(c.Version); err == nil {
			f.version = c.Version
		} else {
			f.Warnings = append(f.Warnings, kafkaconf.Notice{Text: fmt.Sprintf("Kafka %s is none that the model knows; the newest is taken", c.Version)})
		}
	}
	return f, nil
}
