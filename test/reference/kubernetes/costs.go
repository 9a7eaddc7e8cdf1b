package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	registry "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

func init() { programs["costs"] = costs }

// costs says what each expression of a new definition is estimated to cost, as often as an object can
// have it: the numbers that are held against the limits. Only of what compiles.
func costs(question []byte) (any, error) {
	var asked struct{ New json.RawMessage }
	if err := json.Unmarshal(question, &asked); err != nil {
		return nil, err
	}
	answer := struct {
		Costs map[string]string `json:"costs"`
	}{map[string]string{}}
	definition, err := decodeDefinition(asked.New)
	if err != nil {
		return answer, nil
	}
	// Without the fields that the server drops.
	registry.NewStrategy(scheme).PrepareForCreate(context.TODO(), definition)
	walk := costWalk{answer.Costs}
	spec := field.NewPath("spec")
	if validation := definition.Spec.Validation; validation != nil {
		walk.root(validation.OpenAPIV3Schema, spec.Child("validation", "openAPIV3Schema"))
	}
	for index, version := range definition.Spec.Versions {
		if version.Schema != nil {
			walk.root(version.Schema.OpenAPIV3Schema, spec.Child("versions").Index(index).Child("schema", "openAPIV3Schema"))
		}
	}
	return answer, nil
}

type costWalk struct{ costs map[string]string }

func (walk costWalk) root(schema *apiextensions.JSONSchemaProps, path *field.Path) {
	// A schema that is not structural has no types to compile with, and ends some of these functions.
	defer func() { _ = recover() }()
	if schema != nil {
		walk.visit(schema, path, validation.RootCELContext(schema))
	}
}

func (walk costWalk) visit(schema *apiextensions.JSONSchemaProps, path *field.Path, context *validation.CELSchemaContext) {
	if schema == nil {
		return
	}
	if len(schema.XValidations) > 0 {
		walk.rules(path, context)
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		values := schema.AdditionalProperties.Schema
		walk.visit(values, path.Child("additionalProperties"), context.ChildAdditionalPropertiesContext(values))
	}
	names := []string{}
	for name := range schema.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		property := schema.Properties[name]
		walk.visit(&property, path.Child("properties").Key(name), context.ChildPropertyContext(&property, name))
	}
	if schema.Items != nil && schema.Items.Schema != nil {
		items := schema.Items.Schema
		walk.visit(items, path.Child("items"), context.ChildItemsContext(items))
	}
}

func (walk costWalk) rules(path *field.Path, context *validation.CELSchemaContext) {
	types, err := context.TypeInfo()
	if err != nil || types == nil {
		return
	}
	compiled, err := cel.Compile(types.Schema, types.DeclType, celconfig.PerCallLimit, environments, cel.NewExpressionsEnvLoader())
	if err != nil {
		return
	}
	for index, rule := range compiled {
		if rule.Error != nil || rule.Program == nil {
			continue
		}
		place := path.Child("x-kubernetes-validations").Index(index)
		often := rule.MaxCardinality
		if context.MaxCardinality != nil {
			often = *context.MaxCardinality
		}
		walk.costs[place.Child("rule").String()] = strconv.FormatUint(product(rule.MaxCost, often), 10)
		if rule.MessageExpression != nil {
			walk.costs[place.Child("messageExpression").String()] = strconv.FormatUint(rule.MessageExpressionMaxCost, 10)
		}
	}
}

// product is at most what an unsigned integer holds.
func product(left, right uint64) uint64 {
	if right != 0 && left > ^uint64(0)/right {
		return ^uint64(0)
	}
	return left * right
}

var environments = baseEnvironments()

// baseEnvironments are those of the minor's own version. From 1.30 to 1.32 a second argument says
// whether Kubernetes' own types are counted as in later minors, which does not concern definitions.
func baseEnvironments() *environment.EnvSet {
	base := reflect.ValueOf(environment.MustBaseEnvSet)
	arguments := []reflect.Value{reflect.ValueOf(environment.DefaultCompatibilityVersion())}
	if base.Type().NumIn() == 2 {
		arguments = append(arguments, reflect.ValueOf(true))
	}
	set, ok := base.Call(arguments)[0].Interface().(*environment.EnvSet)
	if !ok {
		panic(fmt.Sprintf("no environments of expressions in %v", base.Type()))
	}
	return set
}
