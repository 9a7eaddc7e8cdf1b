// Says when Kubernetes deprecated and removed each of its API kinds, of the lifecycle methods in its
// own sources. Reads modules, older ones for what newer ones no longer have; builds none of them. The
// argument is the newest version, such as v0.37.2: what it says of a kind counts.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

var older = []string{
	"k8s.io/api@v0.22.17",
	"k8s.io/apiextensions-apiserver@v0.22.17",
	"k8s.io/kube-aggregator@v0.22.17",
	"k8s.io/api@v0.29.6",
}

// Kind is one kind of one API version; minors are of Kubernetes 1.
type Kind struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Kind        string `json:"kind"`
	Deprecated  int    `json:"deprecated,omitempty"`
	Removed     int    `json:"removed,omitempty"`
	Replacement string `json:"replacement,omitempty"`
}

var (
	groupName = regexp.MustCompile(`(?m)^const GroupName = "([^"]*)"`)
	version   = regexp.MustCompile(`Version: "([^"]+)"`)
	known     = regexp.MustCompile(`&([A-Z]\w*)\{\}`)
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: removed-apis VERSION")
		os.Exit(2)
	}
	modules := older
	for _, name := range []string{"api", "apiextensions-apiserver", "kube-aggregator"} {
		modules = append(modules, "k8s.io/"+name+"@"+os.Args[1])
	}
	kinds := map[string]*Kind{}
	for _, module := range modules {
		root := download(module)
		check(filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			check(err)
			if entry.IsDir() || entry.Name() != "register.go" {
				return nil
			}
			read(filepath.Dir(path), kinds)
			return nil
		}))
	}
	list := []*Kind{}
	for _, kind := range kinds {
		list = append(list, kind)
	}
	sort.Slice(list, func(a, b int) bool { return key(list[a]) < key(list[b]) })
	fmt.Println("[")
	for index, kind := range list {
		line, err := json.Marshal(kind)
		check(err)
		comma := ","
		if index == len(list)-1 {
			comma = ""
		}
		fmt.Printf("  %s%s\n", line, comma)
	}
	fmt.Println("]")
}

func key(kind *Kind) string { return kind.Group + "/" + kind.Version + "/" + kind.Kind }

func download(module string) string {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	check(err)
	var answer struct{ Dir string }
	check(json.Unmarshal(out, &answer))
	return answer.Dir
}

// A folder with an API version: register.go names the kinds, the generated file their lifecycle.
func read(folder string, kinds map[string]*Kind) {
	text, err := os.ReadFile(filepath.Join(folder, "register.go"))
	check(err)
	group, number := groupName.FindSubmatch(text), version.FindSubmatch(text)
	if group == nil || number == nil {
		return
	}
	for _, match := range known.FindAllSubmatch(text, -1) {
		name := string(match[1])
		if strings.HasSuffix(name, "List") || strings.HasSuffix(name, "Options") {
			continue
		}
		kind := &Kind{Group: string(group[1]), Version: string(number[1]), Kind: name}
		kinds[key(kind)] = kind
	}
	file := filepath.Join(folder, "zz_generated.prerelease-lifecycle.go")
	if _, err := os.Stat(file); err != nil {
		return
	}
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	check(err)
	for _, declaration := range source.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || function.Recv == nil {
			continue
		}
		star, isStar := function.Recv.List[0].Type.(*ast.StarExpr)
		if !isStar {
			continue
		}
		name := star.X.(*ast.Ident).Name
		kind := kinds[string(group[1])+"/"+string(number[1])+"/"+name]
		if kind == nil {
			continue
		}
		results := function.Body.List[0].(*ast.ReturnStmt).Results
		switch function.Name.Name {
		case "APILifecycleDeprecated":
			kind.Deprecated = minor(results)
		case "APILifecycleRemoved":
			kind.Removed = minor(results)
		case "APILifecycleReplacement":
			kind.Replacement = replacement(results[0].(*ast.CompositeLit))
		}
	}
}

func minor(results []ast.Expr) int {
	value, err := strconv.Atoi(results[1].(*ast.BasicLit).Value)
	check(err)
	return value
}

// apiVersion and kind, in one text.
func replacement(literal *ast.CompositeLit) string {
	fields := map[string]string{}
	for _, element := range literal.Elts {
		pair := element.(*ast.KeyValueExpr)
		text, err := strconv.Unquote(pair.Value.(*ast.BasicLit).Value)
		check(err)
		fields[pair.Key.(*ast.Ident).Name] = text
	}
	apiVersion := fields["Version"]
	if fields["Group"] != "" {
		apiVersion = fields["Group"] + "/" + apiVersion
	}
	return apiVersion + " " + fields["Kind"]
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
