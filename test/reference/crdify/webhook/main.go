// The webhook that somebody would write in Go with crdify, for comparison: it answers AdmissionReviews of
// updates over HTTPS, judged as OLM v1 configures crdify.
//
//	webhook CERTIFICATE KEY
//
// It listens on a free port of 127.0.0.1 and writes "ready https://127.0.0.1:PORT" to standard output.
package main

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validations/property"
	"sigs.k8s.io/crdify/pkg/validators/version"
)

// The limit of controller-runtime.
const maxBytes = 7 << 20

// review is what is read and written of an AdmissionReview of admission.k8s.io/v1.
type review struct {
	metav1.TypeMeta `json:",inline"`
	Request         *request  `json:"request,omitempty"`
	Response        *response `json:"response,omitempty"`
}

type request struct {
	UID       string                                    `json:"uid"`
	Object    *apiextensionsv1.CustomResourceDefinition `json:"object"`
	OldObject *apiextensionsv1.CustomResourceDefinition `json:"oldObject"`
}

type response struct {
	UID     string         `json:"uid"`
	Allowed bool           `json:"allowed"`
	Status  *metav1.Status `json:"status,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: webhook CERTIFICATE KEY")
	}
	certificate, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	compare, err := runner.New(&config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyError,
		Validations: []config.ValidationConfig{
			{Name: "description", Enforcement: config.EnforcementPolicyNone},
			{
				Name:          "enum",
				Enforcement:   config.EnforcementPolicyError,
				Configuration: map[string]any{"additionPolicy": property.AdditionPolicyAllow},
			},
		},
	}, runner.DefaultRegistry())
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready https://%s\n", listener.Addr())
	server := &http.Server{
		Handler: http.HandlerFunc(func(to http.ResponseWriter, from *http.Request) {
			answer, err := judge(compare, http.MaxBytesReader(to, from.Body, maxBytes))
			if err != nil {
				http.Error(to, err.Error(), http.StatusBadRequest)
				return
			}
			to.Header().Set("Content-Type", "application/json")
			if err := json.NewEncoder(to).Encode(answer); err != nil {
				log.Print(err)
			}
		}),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
	}
	log.Fatal(server.ServeTLS(listener, "", ""))
}

func judge(compare *runner.Runner, body io.Reader) (*review, error) {
	var asked review
	if err := json.NewDecoder(body).Decode(&asked); err != nil {
		return nil, err
	}
	if asked.Request == nil || asked.Request.Object == nil || asked.Request.OldObject == nil {
		return nil, errors.New("not the review of an update")
	}
	answer := &response{UID: asked.Request.UID, Allowed: true}
	if found := messages(compare.Run(asked.Request.OldObject, asked.Request.Object)); len(found) > 0 {
		answer.Allowed = false
		answer.Status = &metav1.Status{
			Status:  metav1.StatusFailure,
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: strings.Join(found, "\n"),
		}
	}
	return &review{TypeMeta: asked.TypeMeta, Response: answer}, nil
}

func messages(results *runner.Results) (found []string) {
	for _, result := range results.CRDValidation {
		found = append(found, result.Errors...)
	}
	for _, versions := range [][]version.VersionedPropertyComparisonResult{results.SameVersionValidation, results.ServedVersionValidation} {
		for _, compared := range versions {
			for _, field := range compared.PropertyComparisons {
				for _, result := range field.ComparisonResults {
					for _, text := range result.Errors {
						found = append(found, fmt.Sprintf("%s %s: %s", compared.Version, field.Property, text))
					}
				}
			}
		}
	}
	return found
}
