// Package asked writes down what the tests of apiextensions-apiserver ask of it, and what it answers: a line
// of JSON for each question. tables.ts puts it into a scratch copy of the module.
package asked

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	lock    sync.Mutex
	schemas sync.Map
)

type refusal struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func refusals(errors []*field.Error) []refusal {
	all := []refusal{}
	for _, each := range errors {
		if each != nil {
			all = append(all, refusal{string(each.Type), each.Field, each.Detail})
		}
	}
	return all
}

// isAsked tells whether a test calls the function that is hooked, by itself or through a shorthand.
func isAsked() bool {
	callers := make([]uintptr, 3)
	frames := runtime.CallersFrames(callers[:runtime.Callers(4, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			return true
		}
		if !more {
			return false
		}
	}
}

func write(question map[string]any) {
	text, err := json.Marshal(question)
	if err != nil {
		// A value that no JSON is.
		return
	}
	lock.Lock()
	defer lock.Unlock()
	file, err := os.OpenFile(os.Getenv("OLM_GUARD_QUESTIONS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}

// encoded is the JSON of a value before it is changed; nil where it has none.
func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return text
}

// schemaOf is the JSON of a schema, structural or as definitions have it. OpenAPI writes rules with the names
// of Go's fields.
func schemaOf(schema any) json.RawMessage {
	if props, ok := schema.(*apiextensions.JSONSchemaProps); ok {
		written := &v1.JSONSchemaProps{}
		if props == nil || v1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(props, written, nil) != nil {
			return nil
		}
		return encoded(written)
	}
	return encoded(schema)
}

func definitionOf(definition *apiextensions.CustomResourceDefinition) json.RawMessage {
	written := &v1.CustomResourceDefinition{}
	if definition == nil || v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(definition.DeepCopy(), written, nil) != nil {
		return nil
	}
	written.APIVersion, written.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	return encoded(written)
}

// Definition writes down what is wrong with a definition, by itself or in place of an old one.
func Definition(new, old *apiextensions.CustomResourceDefinition, errors *field.ErrorList) func() {
	question := map[string]any{"table": "definitions", "new": definitionOf(new)}
	if old != nil {
		question["old"] = definitionOf(old)
	}
	return func() {
		question["answer"] = refusals(*errors)
		write(question)
	}
}

// Schema writes down what is wrong with the schema of a definition.
func Schema(validation *apiextensions.CustomResourceValidation, path *field.Path, errors *field.ErrorList) func() {
	if validation == nil {
		return func() {}
	}
	return Judged("schemas", path, validation.OpenAPIV3Schema, false, nil, nil, nil, errors)
}

// Changed writes down what becomes of a value.
func Changed(table string, value, schema any, isRoot bool, problem **field.Error) func() {
	if !isAsked() {
		return func() {}
	}
	question := map[string]any{"table": table, "schema": schemaOf(schema), "isRoot": isRoot, "value": encoded(value)}
	return func() {
		question["answer"] = encoded(value)
		if problem != nil && *problem != nil {
			question["error"] = refusals([]*field.Error{*problem})
		}
		write(question)
	}
}

// Judged writes down what is wrong with a value, by itself or in place of an old one.
func Judged(table string, path *field.Path, schema any, isRoot bool, value, old any, more map[string]any, errors *field.ErrorList) func() {
	if !isAsked() {
		return func() {}
	}
	question := map[string]any{"table": table, "path": path.String(), "schema": schemaOf(schema), "isRoot": isRoot, "value": encoded(value)}
	if old != nil {
		question["old"] = encoded(old)
	}
	if hasFloat32(value) {
		question["isNoJSON"] = true
	}
	for key, value := range more {
		question[key] = value
	}
	return func() {
		question["answer"] = refusals(*errors)
		write(question)
	}
}

// hasFloat32 tells whether a value holds what no decoder of JSON makes.
func hasFloat32(value any) bool {
	switch value := value.(type) {
	case float32:
		return true
	case []any:
		return slices.ContainsFunc(value, hasFloat32)
	case map[string]any:
		for _, each := range value {
			if hasFloat32(each) {
				return true
			}
		}
	}
	return false
}

// Compiled writes down what comes of the rules of a schema.
func Compiled(schema any, isStored bool, answer func() []map[string]any) func() {
	if !isAsked() {
		return func() {}
	}
	question := map[string]any{"table": "costs", "schema": schemaOf(schema), "isStored": isStored}
	return func() {
		question["answer"] = answer()
		write(question)
	}
}

// Remember keeps of which schema a validator is.
func Remember(validator, schema any) {
	schemas.Store(validator, schema)
}

// SchemaOf is the schema of a validator; nil for one that was not remembered.
func SchemaOf(validator any) any {
	schema, _ := schemas.Load(validator)
	return schema
}
