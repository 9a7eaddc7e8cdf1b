// Answers what `opm validate` answers to file-based catalogs. Reads questions from standard input,
// one JSON object a line with `files` by path, and writes an answer for each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"testing/fstest"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
	"github.com/sirupsen/logrus"
)

const longestLine = 64 << 20

type answer struct {
	OK    bool   `json:"ok"`
	Stage string `json:"stage,omitempty"`
	Error string `json:"error,omitempty"`
	// Counts of what was loaded, by kind.
	Counts    map[string]int `json:"counts,omitempty"`
	FilesRead []string       `json:"filesRead"`
	// Heads by package/channel.
	Heads map[string]string `json:"heads,omitempty"`
}

func main() {
	logrus.SetOutput(io.Discard)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked struct{ Files map[string]string }
		err := json.Unmarshal(lines.Bytes(), &asked)
		if err == nil {
			err = encoder.Encode(validate(asked.Files))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func validate(files map[string]string) (said answer) {
	folder := inFolder(files)
	defer func() { said.FilesRead = filesIn(folder) }()
	// One file at a time, so that the first error is always the same one.
	config, err := declcfg.LoadFS(context.Background(), folder, declcfg.WithConcurrency(1))
	if err != nil {
		return answer{Stage: "load", Error: err.Error()}
	}
	said.Counts = map[string]int{
		"packages":     len(config.Packages),
		"channels":     len(config.Channels),
		"bundles":      len(config.Bundles),
		"deprecations": len(config.Deprecations),
		"others":       len(config.Others),
	}
	model, err := declcfg.ConvertToModel(*config)
	if err != nil {
		said.Stage, said.Error = "convert", err.Error()
		return said
	}
	said.OK = true
	said.Heads = map[string]string{}
	for _, pkg := range model {
		for _, channel := range pkg.Channels {
			if head, err := channel.Head(); err == nil {
				said.Heads[pkg.Name+"/"+channel.Name] = head.Name
			}
		}
	}
	return said
}

func inFolder(files map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, content := range files {
		folder[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return folder
}

// filesIn lists what would be loaded if nothing were wrong with any of it.
func filesIn(folder fs.FS) []string {
	names := []string{}
	_ = declcfg.WalkFS(folder, func(name string, _ *declcfg.DeclarativeConfig, _ error) error {
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	return names
}
