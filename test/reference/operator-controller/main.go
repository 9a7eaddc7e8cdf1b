// Answers what operator-controller answers; its module's name lets it import the packages that are
// internal there. Reads questions from standard input, one a line, and writes an answer for each.
//
// `bundle`: {"files", "namespace", "config"?, "gates"?} → {"error"}: what becomes of the manifests of a
// bundle of registry+v1; null where they are rendered.
// `crd-safety`: {"old", "new"} → {"error"}.
// `select`: {"extension", "catalogs": [{"object", "files"}], "installed"?} → {"error", "bundle"}: what it
// chooses of the catalogs that are on the cluster, each with the files of its packages.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"testing/fstest"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1client "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ocv1 "github.com/operator-framework/operator-controller/api/v1"
	"github.com/operator-framework/operator-controller/internal/operator-controller/applier"
	catalogclient "github.com/operator-framework/operator-controller/internal/operator-controller/catalogmetadata/client"
	"github.com/operator-framework/operator-controller/internal/operator-controller/resolve"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/preflights/crdupgradesafety"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/certproviders"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/registryv1"
)

type answer struct {
	Error  *string `json:"error"`
	Bundle string  `json:"bundle,omitempty"`
}

func main() {
	answers := map[string]func([]byte) answer{"bundle": render, "crd-safety": compare, "select": choose}
	answerTo := answers[os.Args[1]]
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		if err := encoder.Encode(answerTo(lines.Bytes())); err != nil {
			fail(err)
		}
	}
}

func render(line []byte) answer {
	var asked struct {
		Files     map[string]string
		Namespace string
		Config    json.RawMessage
		Gates     []string
	}
	read(line, &asked)
	files := fstest.MapFS{}
	for path, text := range asked.Files {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	provider := applier.RegistryV1ManifestProvider{
		BundleRenderer:              registryv1.Renderer,
		CertificateProvider:         certproviders.CertManagerCertificateProvider{},
		IsWebhookSupportEnabled:     true,
		IsSingleOwnNamespaceEnabled: slices.Contains(asked.Gates, "SingleOwnNamespaceInstallSupport"),
		IsDeploymentConfigEnabled:   slices.Contains(asked.Gates, "DeploymentConfig"),
	}
	extension := &ocv1.ClusterExtension{}
	extension.Spec.Namespace = asked.Namespace
	if asked.Config != nil {
		extension.Spec.Config = &ocv1.ClusterExtensionConfig{ConfigType: ocv1.ClusterExtensionConfigTypeInline}
		extension.Spec.Config.Inline = &apiextensionsv1.JSON{Raw: asked.Config}
	}
	_, err := provider.Get(files, extension)
	return failed(err)
}

func compare(line []byte) answer {
	var asked struct{ Old, New json.RawMessage }
	read(line, &asked)
	preflight := crdupgradesafety.NewPreflight(cluster{old: definition(asked.Old)})
	return failed(preflight.Upgrade(context.Background(), []client.Object{definition(asked.New)}))
}

// cluster is one with that definition and nothing else.
type cluster struct {
	apiextensionsv1client.CustomResourceDefinitionInterface
	old *apiextensionsv1.CustomResourceDefinition
}

func (c cluster) Get(context.Context, string, metav1.GetOptions) (*apiextensionsv1.CustomResourceDefinition, error) {
	return c.old, nil
}

func definition(text []byte) *apiextensionsv1.CustomResourceDefinition {
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

// choose puts the question as operator-controller's main does, with the catalogs in place of an API server.
func choose(line []byte) answer {
	var asked struct {
		Extension ocv1.ClusterExtension
		Installed *ocv1.BundleMetadata
		Catalogs  []struct {
			Object ocv1.ClusterCatalog
			Files  map[string]string
		}
	}
	read(line, &asked)
	contents := contents{}
	list := func(_ context.Context, options ...client.ListOption) ([]ocv1.ClusterCatalog, error) {
		wanted := (&client.ListOptions{}).ApplyOptions(options)
		var listed []ocv1.ClusterCatalog
		for _, each := range asked.Catalogs {
			files := fstest.MapFS{}
			for path, text := range each.Files {
				files[path] = &fstest.MapFile{Data: []byte(text)}
			}
			contents[each.Object.Name] = files
			if wanted.LabelSelector.Matches(labels.Set(each.Object.Labels)) {
				listed = append(listed, each.Object)
			}
		}
		return listed, nil
	}
	resolver := resolve.CatalogResolver{
		WalkCatalogsFunc: resolve.CatalogWalker(list, catalogclient.New(contents, nil).GetPackage),
		Validations:      []resolve.ValidationFunc{resolve.NoDependencyValidation},
	}
	bundle, _, _, err := resolver.Resolve(context.Background(), &asked.Extension, asked.Installed)
	if err != nil {
		return failed(err)
	}
	return answer{Bundle: bundle.Name}
}

// contents is a cache that is never written.
type contents map[string]fs.FS

func (c contents) Get(name, _ string) (fs.FS, error) { return c[name], nil }

func (c contents) Put(string, string, io.Reader, error) (fs.FS, error) {
	return nil, errors.New("nothing is fetched")
}

func failed(err error) answer {
	if err == nil {
		return answer{}
	}
	said := err.Error()
	return answer{Error: &said}
}

func read(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
