// Answers what sigs.k8s.io/yaml makes of a YAML text (`yaml`), and what kubectl reads from a file with
// several documents (`stream`). Reads questions from standard input, one JSON object a line, and writes an
// answer for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	stream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type question struct{ YAML, Stream string }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
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

// A text that YAMLToJSONStrict refuses besides has a key twice: its last value counts, with a warning.
func answer(asked question) (result map[string]any) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]any{"error": fmt.Sprint(reason)}
		}
	}()
	if asked.Stream != "" {
		return documents(asked.Stream)
	}
	read, err := yaml.YAMLToJSON([]byte(asked.YAML))
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"json": string(read)}
}

// As kubectl's StreamVisitor does, which leaves out what is null.
func documents(text string) map[string]any {
	decoder := stream.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	read := []string{}
	for {
		var document json.RawMessage
		err := decoder.Decode(&document)
		if err == io.EOF {
			return map[string]any{"documents": read}
		}
		if err != nil {
			return map[string]any{"documents": read, "error": err.Error()}
		}
		trimmed := strings.TrimSpace(string(document))
		if trimmed != "" && trimmed != "null" {
			read = append(read, trimmed)
		}
	}
}
