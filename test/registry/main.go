// An OCI registry on loopback, for the rehearsal of a release: CNCF's distribution, which keeps what it
// is sent in memory. It prints its address when it listens, and ends with its standard input.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
)

func main() {
	config := &configuration.Configuration{Storage: configuration.Storage{"inmemory": nil}}
	config.HTTP.Secret = "of one process"
	config.Catalog.MaxEntries = 100
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	app := handlers.NewApp(context.Background(), config)
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, app))
}
