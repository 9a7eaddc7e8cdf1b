// Says what opm and the validators of operator-framework/api say: `opm bundle FOLDER` of a bundle of
// registry+v1, `opm catalog FOLDER` of a file-based catalog. One line each; exit code 1 for an error.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/operator-registry/alpha/declcfg"
)

// Without the one that asks Docker for images.
var validators = append(validation.DefaultBundleValidators,
	validation.OperatorHubV2Validator,
	validation.StandardCapabilitiesValidator,
	validation.StandardCategoriesValidator,
	validation.ObjectValidator,
	validation.AlphaDeprecatedAPIsValidator,
	validation.GoodPracticesValidator,
)

func main() {
	fail := func(err error) {
		fmt.Println("Error:", err)
		os.Exit(1)
	}
	switch folder := os.Args[2]; os.Args[1] {
	case "bundle":
		bundle, err := manifests.GetBundleFromDir(folder)
		if err != nil {
			fail(err)
		}
		code := 0
		for _, result := range validators.Validate(bundle.ObjectsToValidate()...) {
			for _, each := range append(result.Errors, result.Warnings...) {
				fmt.Println(each.Error())
			}
			if result.HasError() {
				code = 1
			}
		}
		os.Exit(code)
	case "catalog":
		config, err := declcfg.LoadFS(context.Background(), os.DirFS(folder))
		if err != nil {
			fail(err)
		}
		if _, err := declcfg.ConvertToModel(*config); err != nil {
			fail(err)
		}
	}
}
