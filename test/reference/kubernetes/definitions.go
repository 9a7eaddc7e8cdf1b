package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	registry "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
)

// definitions says what is wrong with a new definition, by itself and in place of an old one.
func definitions(question []byte) (any, error) {
	var asked struct{ Old, New json.RawMessage }
	if err := json.Unmarshal(question, &asked); err != nil {
		return nil, err
	}
	answer := struct {
		Create []refusal `json:"create"`
		Update []refusal `json:"update"`
	}{Create: createDefinition(asked.New)}
	if asked.Old != nil {
		answer.Update = updateDefinition(asked.Old, asked.New)
	}
	return answer, nil
}

func undecodable(which string, err error) []refusal {
	return []refusal{{"Decode", which, err.Error()}}
}

func createDefinition(text []byte) (answer []refusal) {
	defer asPanic(&answer)
	definition, err := decodeDefinition(text)
	if err != nil {
		return undecodable("new", err)
	}
	strategy := registry.NewStrategy(scheme)
	strategy.PrepareForCreate(context.TODO(), definition)
	return refusals(strategy.Validate(context.TODO(), definition))
}

func updateDefinition(oldText, newText []byte) (answer []refusal) {
	defer asPanic(&answer)
	old, err := decodeDefinition(oldText)
	if err != nil {
		return undecodable("old", err)
	}
	strategy := registry.NewStrategy(scheme)
	asStored(old, strategy.PrepareForCreate)
	definition, err := decodeDefinition(newText)
	if err != nil {
		return undecodable("new", err)
	}
	definition.UID, definition.ResourceVersion = old.UID, old.ResourceVersion
	strategy.PrepareForUpdate(context.TODO(), definition, old)
	return refusals(strategy.ValidateUpdate(context.TODO(), definition, old))
}

// asStored makes of a definition what an API server stores of it: without the fields that it drops, and
// with an identity, its stored version, and the names and conditions of its controllers, except where it
// has its own.
func asStored(definition *apiextensions.CustomResourceDefinition, prepare func(context.Context, runtime.Object)) {
	status, generation := definition.Status, definition.Generation
	prepare(context.TODO(), definition)
	definition.Status, definition.Generation = status, generation
	definition.UID, definition.ResourceVersion = "old", "1"
	stored := &definition.Status
	if len(stored.StoredVersions) == 0 {
		for _, version := range definition.Spec.Versions {
			if version.Storage {
				stored.StoredVersions = []string{version.Name}
				break
			}
		}
	}
	if stored.AcceptedNames.Plural == "" {
		stored.AcceptedNames = definition.Spec.Names
	}
	if len(stored.Conditions) == 0 {
		for _, condition := range []apiextensions.CustomResourceDefinitionConditionType{
			apiextensions.NamesAccepted, apiextensions.Established,
		} {
			apiextensions.SetCRDCondition(definition, apiextensions.CustomResourceDefinitionCondition{
				Type: condition, Status: apiextensions.ConditionTrue,
			})
		}
	}
}

// asPanic answers for what ends the request of an API server without an answer.
func asPanic(answer *[]refusal) {
	if cause := recover(); cause != nil {
		*answer = []refusal{{"Panic", "", fmt.Sprint(cause)}}
	}
}
