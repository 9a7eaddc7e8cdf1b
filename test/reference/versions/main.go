// Answers what the two libraries of version ranges answer that OLM uses: Masterminds/semver for
// OLM v1, blang/semver for OLM classic. Reads questions from standard input, one JSON object a
// line, and writes an answer for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	masterminds "github.com/Masterminds/semver/v3"
	blang "github.com/blang/semver/v4"
)

// question has a constraint, or two versions to compare, or one to read.
type question struct {
	Dialect    string
	Constraint *string
	Version    *string
	A, B       *string
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		err := json.Unmarshal(lines.Bytes(), &asked)
		if err == nil {
			err = encoder.Encode(answer(asked))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

type said map[string]any

func answer(asked question) (result said) {
	defer func() {
		if recover() != nil {
			result = said{"panics": true}
		}
	}()
	switch {
	case asked.A != nil && asked.B != nil:
		return said{"compare": blang.MustParse(*asked.A).Compare(blang.MustParse(*asked.B))}
	case asked.Constraint == nil:
		if _, err := blang.Parse(*asked.Version); err != nil {
			return said{"error": err.Error()}
		}
		return said{"ok": true}
	}
	accepts, err := reader(asked.Dialect)(*asked.Constraint)
	if err != nil {
		return said{"error": err.Error()}
	}
	if asked.Version == nil {
		return said{"ok": true}
	}
	return said{"result": accepts(blang.MustParse(*asked.Version))}
}

func reader(dialect string) func(constraint string) (func(blang.Version) bool, error) {
	if dialect == "blang" {
		return func(constraint string) (func(blang.Version) bool, error) {
			accepts, err := blang.ParseRange(constraint)
			return accepts, err
		}
	}
	return func(constraint string) (func(blang.Version) bool, error) {
		parsed, err := masterminds.NewConstraint(constraint)
		return func(version blang.Version) bool { return parsed.Check(asMasterminds(version)) }, err
	}
}

// asMasterminds: OLM v1 reads the versions of bundles with blang's library.
func asMasterminds(version blang.Version) *masterminds.Version {
	var pre []string
	for _, part := range version.Pre {
		pre = append(pre, part.String())
	}
	return masterminds.New(version.Major, version.Minor, version.Patch, strings.Join(pre, "."), strings.Join(version.Build, "."))
}
