// Command kro answers which CustomResourceDefinition kro makes of a ResourceGraphDefinition, one a line
// as JSON, on a cluster that has the kind Thing of example.org beside those of Kubernetes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

var thing = schema.GroupVersionKind{Group: "example.org", Version: "v1", Kind: "Thing"}

type things struct{}

func (things) ResolveSchema(schema.GroupVersionKind) (*spec.Schema, error) {
	object := func(fields map[string]spec.Schema) spec.Schema {
		return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: fields}}
	}
	texts := *spec.ArrayProperty(spec.StringProperty())
	status := map[string]spec.Schema{
		"text":  *spec.StringProperty(),
		"count": *spec.Int64Property(),
		"ready": *spec.BoolProperty(),
		"ratio": *spec.Float64Property(),
		"texts": texts,
	}
	all := object(map[string]spec.Schema{
		"apiVersion": *spec.StringProperty(),
		"kind":       *spec.StringProperty(),
		"metadata":   object(map[string]spec.Schema{"name": *spec.StringProperty(), "namespace": *spec.StringProperty()}),
		"spec":       object(map[string]spec.Schema{"text": *spec.StringProperty()}),
		"status":     object(status),
	})
	return &all, nil
}

type definition struct {
	APIVersion string                             `json:"apiVersion"`
	Kind       string                             `json:"kind"`
	Metadata   metav1.ObjectMeta                  `json:"metadata"`
	Spec       extv1.CustomResourceDefinitionSpec `json:"spec"`
}

type answer struct {
	Crd   *definition `json:"crd,omitempty"`
	Error string      `json:"error,omitempty"`
}

func main() {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(thing, meta.RESTScopeNamespace)
	builder, err := graph.NewBuilder(nil, nil, graph.WithSchemaResolver(things{}), graph.WithRESTMapper(mapper))
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line, err := json.Marshal(answerTo(builder, lines.Bytes()))
		if err != nil {
			line, _ = json.Marshal(answer{Error: err.Error()})
		}
		fmt.Println(string(line))
	}
}

func answerTo(builder *graph.Builder, line []byte) answer {
	var given v1alpha1.ResourceGraphDefinition
	if err := json.Unmarshal(line, &given); err != nil {
		return answer{Error: err.Error()}
	}
	// As the API server fills it in.
	if given.Spec.Schema.Group == "" {
		given.Spec.Schema.Group = "kro.run"
	}
	built, err := builder.NewResourceGraphDefinition(&given, graph.Config{MaxCollectionSize: 1000, MaxCollectionDimensionSize: 10})
	if err != nil {
		return answer{Error: err.Error()}
	}
	crd := built.CRD
	return answer{Crd: &definition{"apiextensions.k8s.io/v1", "CustomResourceDefinition", crd.ObjectMeta, crd.Spec}}
}
