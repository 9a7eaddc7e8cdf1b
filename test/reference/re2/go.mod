module olm-guard/test/reference/re2

go 1.25.0
