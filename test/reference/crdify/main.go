// Answers what crdify answers to two CustomResourceDefinitions, configured as OLM v1 configures it.
// Reads questions {"old", "new"} from standard input, one a line, and writes an answer for each:
// {"allowed", "errors": [{"phase", "version"?, "property"?, "validation", "message"}]}.
//
// What differs from run to run is left out: the digits of addresses, and what stands behind the first
// words of "unhandled", where go-cmp varies its spaces on purpose.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validations/property"
	"sigs.k8s.io/crdify/pkg/validators/version"
)

type question struct {
	Old, New json.RawMessage
	// Options of validations by name, over those of OLM v1.
	Crdify map[string]map[string]any
}

type problem struct {
	Phase      string `json:"phase"`
	Version    string `json:"version,omitempty"`
	Property   string `json:"property,omitempty"`
	Validation string `json:"validation"`
	Message    string `json:"message"`
}

type answer struct {
	Allowed bool      `json:"allowed"`
	Errors  []problem `json:"errors"`
}

var (
	address = regexp.MustCompile(`0x[0-9a-f]{8,}`)
	report  = regexp.MustCompile(`(?s)^unhandled changes found :\n.*`)
)

func main() {
	ofOLM := configured(nil)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fail(err)
		}
		compare := ofOLM
		if asked.Crdify != nil {
			compare = configured(asked.Crdify)
		}
		if err := encoder.Encode(judge(compare.Run(stored(asked.Old), fromBundle(asked.New)))); err != nil {
			fail(err)
		}
	}
}

// configured is crdify as OLM v1 configures it, but for these options.
func configured(options map[string]map[string]any) *runner.Runner {
	validations := map[string]config.ValidationConfig{
		"description": {Name: "description", Enforcement: config.EnforcementPolicyNone},
		"enum": {
			Name:          "enum",
			Enforcement:   config.EnforcementPolicyError,
			Configuration: map[string]any{"additionPolicy": property.AdditionPolicyAllow},
		},
	}
	for name, of := range options {
		validations[name] = config.ValidationConfig{Name: name, Enforcement: config.EnforcementPolicyError, Configuration: of}
	}
	compare, err := runner.New(&config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyError,
		Validations:          slices.Collect(maps.Values(validations)),
	}, runner.DefaultRegistry())
	if err != nil {
		fail(err)
	}
	return compare
}

// fromBundle decodes a definition as OLM v1 does: by way of an unstructured object.
func fromBundle(text []byte) *apiextensionsv1.CustomResourceDefinition {
	var object map[string]any
	if err := kjson.Unmarshal(text, &object); err != nil {
		fail(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, crd); err != nil {
		fail(err)
	}
	return crd
}

// stored is the definition as an API server gives it back, without what is empty.
func stored(text []byte) *apiextensionsv1.CustomResourceDefinition {
	written, err := json.Marshal(fromBundle(text))
	if err != nil {
		fail(err)
	}
	return fromBundle(written)
}

func judge(results *runner.Results) answer {
	said := answer{Errors: []problem{}}
	for _, result := range results.CRDValidation {
		for _, text := range result.Errors {
			said.Errors = append(said.Errors, problem{Phase: "crd", Validation: result.Name, Message: text})
		}
	}
	said.Errors = append(said.Errors, problems("same", results.SameVersionValidation)...)
	said.Errors = append(said.Errors, problems("served", results.ServedVersionValidation)...)
	said.Allowed = len(said.Errors) == 0
	return said
}

func problems(phase string, versions []version.VersionedPropertyComparisonResult) (found []problem) {
	for _, compared := range versions {
		for _, field := range compared.PropertyComparisons {
			for _, result := range field.ComparisonResults {
				for _, text := range result.Errors {
					text = report.ReplaceAllString(address.ReplaceAllString(text, "0x…"), "unhandled changes found")
					found = append(found, problem{phase, compared.Version, field.Property, result.Name, text})
				}
			}
		}
	}
	return found
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
