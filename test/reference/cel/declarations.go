package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Every function of the environment with its overloads in the order of their declaration.
func declare(out io.Writer) {
	functions := environment.MustBaseEnvSet(version.MajorMinor(1, 34)).StoredExpressionsEnv().Functions()
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		function := functions[name]
		if function.IsDeclarationDisabled() {
			continue
		}
		for _, overload := range function.OverloadDecls() {
			arguments := make([]string, 0, 2)
			for _, argument := range overload.ArgTypes() {
				arguments = append(arguments, cel.FormatCELType(argument))
			}
			target := ""
			if overload.IsMemberFunction() {
				target, arguments = arguments[0]+":", arguments[1:]
			}
			fmt.Fprintf(out, "%s\t%s%s(%s) %s\n", overload.ID(), target, name,
				strings.Join(arguments, ", "), cel.FormatCELType(overload.ResultType()))
		}
	}
}
