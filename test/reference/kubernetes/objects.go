//go:build !withoutobjects

package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Not in 1.29, whose registry of custom resources is made otherwise: tag withoutobjects.
func init() { programs["objects"], programs["prepared"] = objects, prepared }

type judgement struct {
	Valid  bool      `json:"valid"`
	Errors []refusal `json:"errors"`
}

// objects says of each object whether it could be created, or updated from the old one of its place.
func objects(question []byte) (any, error) {
	var asked struct {
		CRD        json.RawMessage
		Version    string
		Objects    []json.RawMessage
		OldObjects []json.RawMessage
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		return nil, err
	}
	kind, err := kindIn(asked.CRD, asked.Version)
	if err != nil {
		return nil, err
	}
	results := []judgement{}
	for index, text := range asked.Objects {
		var old []byte
		if asked.OldObjects != nil {
			old = asked.OldObjects[index]
		}
		errors := kind.judge(text, old)
		results = append(results, judgement{len(errors) == 0, errors})
	}
	return map[string]any{"results": results}, nil
}

// prepared says what an API server makes of an object before it validates it.
func prepared(question []byte) (any, error) {
	var asked struct {
		CRD     json.RawMessage
		Version string
		Object  json.RawMessage
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		return nil, err
	}
	kind, err := kindIn(asked.CRD, asked.Version)
	if err != nil {
		return nil, err
	}
	object, err := kind.decode(asked.Object)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	return map[string]any{"object": object.Object}, nil
}

// kindIn reads a definition, and one version of it.
func kindIn(crd json.RawMessage, version string) (*kind, error) {
	definition, err := decodeDefinition(crd)
	if err != nil {
		return nil, err
	}
	return newKind(definition, version)
}

// kind is one version of a definition as it is served.
type kind struct {
	gvk           schema.GroupVersionKind
	schema        *structural.Structural
	keepsUnknown  bool
	clusterScoped bool
	strategy      strategy
}

// strategy is what the registry asks about objects on their way in.
type strategy interface {
	Validate(ctx context.Context, object runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList
}

func newKind(definition *apiextensions.CustomResourceDefinition, version string) (*kind, error) {
	served, err := apiextensions.GetSchemaForVersion(definition, version)
	if err != nil {
		return nil, err
	}
	if served == nil || served.OpenAPIV3Schema == nil {
		return nil, fmt.Errorf("version %s has no schema", version)
	}
	form, err := structural.NewStructural(served.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(form); err != nil {
		return nil, err
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(definition, version)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(served.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	var statusValidator validation.SchemaValidator
	if subresources != nil {
		status, scale = subresources.Status, subresources.Scale
	}
	if statusSchema, ok := served.OpenAPIV3Schema.Properties["status"]; ok && status != nil {
		if statusValidator, _, err = validation.NewSchemaValidator(&statusSchema); err != nil {
			return nil, err
		}
	}
	gvk := schema.GroupVersionKind{Group: definition.Spec.Group, Version: version, Kind: definition.Spec.Names.Kind}
	clusterScoped := definition.Spec.Scope == apiextensions.ClusterScoped
	return &kind{
		gvk:           gvk,
		schema:        form,
		keepsUnknown:  definition.Spec.PreserveUnknownFields != nil && *definition.Spec.PreserveUnknownFields,
		clusterScoped: clusterScoped,
		strategy: customresource.NewStrategy(
			unstructuredTyper{}, !clusterScoped, gvk, validator, statusValidator, form, status, scale, []v1.SelectableField{},
		),
	}, nil
}

// unstructuredTyper is never asked by what is called here.
type unstructuredTyper struct{}

func (unstructuredTyper) ObjectKinds(runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return nil, false, nil
}

func (unstructuredTyper) Recognizes(schema.GroupVersionKind) bool { return false }

func (kind *kind) judge(text, oldText []byte) []refusal {
	object, err := kind.decode(text)
	if err != nil {
		return []refusal{{"BadRequest", "", err.Error()}}
	}
	// The strategy is not asked to prepare the object: where there is a status subresource it would drop
	// the status, and what is asked about may be stored, status and all.
	ctx := context.TODO()
	if oldText == nil {
		return refusals(kind.strategy.Validate(ctx, object))
	}
	old, err := kind.decode(oldText)
	if err != nil {
		return []refusal{{"BadRequest", "", err.Error()}}
	}
	asStoredObject(old)
	object.SetUID(old.GetUID())
	object.SetResourceVersion(old.GetResourceVersion())
	object.SetCreationTimestamp(old.GetCreationTimestamp())
	return refusals(kind.strategy.ValidateUpdate(ctx, object, old))
}

func asStoredObject(object *unstructured.Unstructured) {
	if object.GetUID() == "" {
		object.SetUID("old")
	}
	if object.GetResourceVersion() == "" {
		object.SetResourceVersion("1")
	}
	if object.GetGeneration() == 0 {
		object.SetGeneration(1)
	}
}

// decode makes of a request's body what is validated: pruned, without nulls that nothing allows,
// with the metadata that an API server understands, and with defaults.
func (kind *kind) decode(text []byte) (*unstructured.Unstructured, error) {
	content := map[string]any{}
	if err := utiljson.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: content}
	given, hasKind, err := unstructured.NestedString(content, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(content, "apiVersion")
	if err != nil {
		return nil, err
	}
	metadata, hasMetadata, err := objectmeta.GetObjectMeta(content, false)
	if err != nil {
		return nil, err
	}
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	isOurs := version.Group == kind.gvk.Group && given == kind.gvk.Kind
	if isOurs {
		if !kind.keepsUnknown {
			pruning.Prune(content, kind.schema, true)
			defaulting.PruneNonNullableNullsWithoutDefaults(content, kind.schema)
		}
		if problem := objectmeta.Coerce(nil, content, kind.schema, false, false); problem != nil {
			return nil, problem
		}
	}
	if hasKind {
		object.SetKind(given)
	}
	if hasVersion {
		object.SetAPIVersion(apiVersion)
	}
	if hasMetadata {
		if err := objectmeta.SetObjectMeta(content, metadata); err != nil {
			return nil, err
		}
	}
	if isOurs {
		defaulting.Default(content, kind.schema)
	}
	if kind.clusterScoped {
		object.SetNamespace(metav1.NamespaceNone)
	}
	return object, nil
}
