// Answers what sigs.k8s.io/yaml makes of a YAML text: what kubectl and OLM read manifests with. Reads
// questions from standard input, one JSON object a line, and writes an answer for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked struct{ YAML string }
		err := json.Unmarshal(lines.Bytes(), &asked)
		if err == nil {
			err = encoder.Encode(answer(asked.YAML))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func answer(text string) (result map[string]string) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]string{"error": fmt.Sprint(reason)}
		}
	}()
	read, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	return map[string]string{"json": string(read)}
}
