module olm-guard.io/reference/removed-apis

go 1.24
