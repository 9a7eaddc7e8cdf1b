// Reads expressions as JSON lines on standard input and writes what the CEL of Kubernetes 1.35 makes
// of each: the errors of its compiler, or the checked tree, the estimated cost and the value.
//
// A question is {"rule", "schema"?, "self"?, "tree"?}: the schema of self as a definition has it,
// self as JSON. With "tree" the answer holds the whole checked tree.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	kjson "sigs.k8s.io/json"
)

type question struct {
	Rule   string          `json:"rule"`
	Schema json.RawMessage `json:"schema,omitempty"`
	Self   json.RawMessage `json:"self,omitempty"`
	Tree   bool            `json:"tree,omitempty"`
}

type answer struct {
	// The compiler's errors as it prints them.
	Errors string `json:"errors,omitempty"`
	Type   string `json:"type,omitempty"`
	Tree   string `json:"tree,omitempty"`
	// An expression that checks may still make no program.
	Program string `json:"program,omitempty"`
	Cost    string `json:"cost,omitempty"`
	Value   string `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
}

type environmentOf struct {
	env    *cel.Env
	schema *schema.Structural
}

var environments = map[string]environmentOf{}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "declarations" {
		declare(os.Stdout)
		return
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := encoder.Encode(judge(asked)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}

func judge(asked question) (result answer) {
	defer func() {
		if r := recover(); r != nil {
			if os.Getenv("TRACE") != "" {
				debug.PrintStack()
			}
			result.Program = fmt.Sprintf("panic: %v", r)
		}
	}()
	in, err := environmentFor(asked.Schema)
	if err != nil {
		return answer{Errors: "environment: " + err.Error()}
	}
	tree, issues := in.env.Compile(asked.Rule)
	if issues != nil {
		return answer{Errors: issues.String()}
	}
	result.Type = cel.FormatCELType(tree.OutputType())
	if asked.Tree {
		result.Tree = show(tree)
	}
	estimator := &library.CostEstimator{}
	program, err := in.env.Program(tree,
		cel.CostLimit(celconfig.PerCallLimit),
		cel.CostTracking(estimator),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	)
	if err != nil {
		result.Program = err.Error()
		return result
	}
	if tree.OutputType() == cel.BoolType {
		result.Cost = in.cost(asked.Rule, tree, estimator)
	}
	variables := map[string]any{}
	if in.schema != nil && len(asked.Self) > 0 {
		var self any
		if _, err := kjson.UnmarshalStrict(asked.Self, &self); err != nil {
			result.Error = "self: " + err.Error()
			return result
		}
		variables["self"] = common(self, in.schema)
	}
	value, _, err := program.ContextEval(context.Background(), variables)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = text(value)
	return result
}

// The highest cost of one evaluation, with the sizes that the schema allows.
func (in environmentOf) cost(rule string, tree *cel.Ast, estimator *library.CostEstimator) string {
	if in.schema == nil {
		cost, err := in.env.EstimateCost(tree, estimator)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(cost.Max)
	}
	with := *in.schema
	with.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
	compiled, err := schemacel.Compile(&with, model.SchemaDeclType(&with, false), celconfig.PerCallLimit, base(), schemacel.StoredExpressionsEnvLoader())
	if err != nil {
		return err.Error()
	}
	if compiled[0].Error != nil {
		return compiled[0].Error.Detail
	}
	return fmt.Sprint(compiled[0].MaxCost)
}

func base() *environment.EnvSet {
	return environment.MustBaseEnvSet(version.MajorMinor(1, 34))
}

func environmentFor(text json.RawMessage) (environmentOf, error) {
	key := string(text)
	if known, ok := environments[key]; ok {
		return known, nil
	}
	made, err := makeEnvironment(text)
	if err == nil {
		environments[key] = made
	}
	return made, err
}

func makeEnvironment(text json.RawMessage) (environmentOf, error) {
	if len(text) == 0 {
		return environmentOf{env: base().StoredExpressionsEnv()}, nil
	}
	var written apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &written); err != nil {
		return environmentOf{}, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&written, &internal, nil); err != nil {
		return environmentOf{}, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return environmentOf{}, err
	}
	declared := model.SchemaDeclType(structural, false)
	if declared == nil {
		return environmentOf{}, fmt.Errorf("no type for the schema")
	}
	named := declared.MaybeAssignTypeName("selfType")
	extended, err := base().Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", named.CelType())},
		DeclTypes:         []*apiservercel.DeclType{named},
	})
	if err != nil {
		return environmentOf{}, err
	}
	return environmentOf{env: extended.StoredExpressionsEnv(), schema: structural}, nil
}

// The value as an expression would write it, nearly; maps in the order of their keys.
func text(value ref.Val) string {
	switch value := value.(type) {
	case types.Bool, types.Int, types.Uint, types.Bytes, types.String:
		return types.Format(value)
	case types.Null:
		return "null"
	case types.Double:
		if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
			return types.Format(value)
		}
		return strconv.FormatFloat(float64(value), 'e', -1, 64)
	case types.Timestamp:
		nanoseconds := new(big.Int).Mul(big.NewInt(value.Unix()), big.NewInt(1_000_000_000))
		return "timestamp(" + nanoseconds.Add(nanoseconds, big.NewInt(int64(value.Nanosecond()))).String() + ")"
	case types.Duration:
		return fmt.Sprintf("duration(%d)", value.Nanoseconds())
	case *types.Type:
		return "type(" + value.TypeName() + ")"
	case *types.Optional:
		if value.HasValue() {
			return "optional.of(" + text(value.GetValue()) + ")"
		}
		return "optional.none()"
	case traits.Lister:
		var items []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			items = append(items, text(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case traits.Mapper:
		var entries []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, text(key)+": "+text(value.Get(key)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ", ") + "}"
	case *types.Err:
		return "error " + value.Error()
	default:
		return value.Type().TypeName()
	}
}
