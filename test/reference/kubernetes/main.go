// Answers as a Kubernetes API server does, with the API server's own packages: the version in the
// module file that it is built with. Reads questions from standard input, one JSON object a line,
// and writes an answer for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const longestLine = 64 << 20

var programs = map[string]func(question []byte) (any, error){
	"definitions": definitions,
}

func main() {
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: kubernetes costs|definitions|objects|prepared < QUESTIONS")
		os.Exit(2)
	}
	answer := programs[os.Args[1]]
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		said, err := answer(lines.Bytes())
		if err == nil {
			err = encoder.Encode(said)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type refusal struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func refusals(errors field.ErrorList) []refusal {
	all := []refusal{}
	for _, each := range errors {
		all = append(all, refusal{string(each.Type), each.Field, each.Detail})
	}
	sort.SliceStable(all, func(i, j int) bool {
		left, right := all[i], all[j]
		if left.Field != right.Field {
			return left.Field < right.Field
		}
		if left.Type != right.Type {
			return left.Type < right.Type
		}
		return left.Detail < right.Detail
	})
	return all
}

var (
	scheme  = newScheme()
	decoder = serializer.NewCodecFactory(scheme).UniversalDecoder(apiextensions.SchemeGroupVersion)
)

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}

// decodeDefinition reads a CustomResourceDefinition as a request brings it: with defaults, and as
// the API server holds it.
func decodeDefinition(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	definition := &apiextensions.CustomResourceDefinition{}
	if err := runtime.DecodeInto(decoder, text, definition); err != nil {
		return nil, err
	}
	definition.Namespace = ""
	return definition, nil
}
