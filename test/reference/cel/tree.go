package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	apiservercommon "k8s.io/apiserver/pkg/cel/common"
)

func common(value any, of *schema.Structural) any {
	return apiservercommon.UnstructuredToVal(value, &model.Structural{Structural: of})
}

// The checked tree: each node with its type, and calls with their overloads.
func show(of *cel.Ast) string {
	var out strings.Builder
	write(&out, of.NativeRep(), of.NativeRep().Expr())
	return out.String()
}

func write(out *strings.Builder, tree *ast.AST, node ast.Expr) {
	kind := cel.FormatCELType(tree.GetType(node.ID()))
	children := func(name string, nodes ...ast.Expr) {
		fmt.Fprintf(out, "(%s :%s", name, kind)
		for _, child := range nodes {
			out.WriteString(" ")
			write(out, tree, child)
		}
		out.WriteString(")")
	}
	switch node.Kind() {
	case ast.LiteralKind:
		out.WriteString(text(node.AsLiteral()))
	case ast.IdentKind:
		fmt.Fprintf(out, "%s:%s", node.AsIdent(), kind)
	case ast.SelectKind:
		name := "." + node.AsSelect().FieldName()
		if node.AsSelect().IsTestOnly() {
			name += "?"
		}
		children(name, node.AsSelect().Operand())
	case ast.CallKind:
		call := node.AsCall()
		var overloads []string
		if reference, found := tree.ReferenceMap()[node.ID()]; found {
			overloads = append(overloads, reference.OverloadIDs...)
		}
		sort.Strings(overloads)
		name := call.FunctionName() + "#" + strings.Join(overloads, ",")
		if call.IsMemberFunction() {
			children(name+"@", append([]ast.Expr{call.Target()}, call.Args()...)...)
		} else {
			children(name, call.Args()...)
		}
	case ast.ListKind:
		children(fmt.Sprintf("list%v", node.AsList().OptionalIndices()), node.AsList().Elements()...)
	case ast.MapKind:
		var entries []ast.Expr
		optional := ""
		for _, entry := range node.AsMap().Entries() {
			each := entry.AsMapEntry()
			entries = append(entries, each.Key(), each.Value())
			if each.IsOptional() {
				optional += "?"
			} else {
				optional += "."
			}
		}
		children("map"+optional, entries...)
	case ast.StructKind:
		var fields []ast.Expr
		for _, field := range node.AsStruct().Fields() {
			fields = append(fields, field.AsStructField().Value())
		}
		children("struct "+node.AsStruct().TypeName(), fields...)
	case ast.ComprehensionKind:
		fold := node.AsComprehension()
		children(fmt.Sprintf("fold %s,%s,%s", fold.IterVar(), fold.IterVar2(), fold.AccuVar()),
			fold.IterRange(), fold.AccuInit(), fold.LoopCondition(), fold.LoopStep(), fold.Result())
	default:
		out.WriteString("?")
	}
}
