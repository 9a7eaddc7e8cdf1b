#!/usr/bin/env bash
# Makes a CA and a serving certificate for the gate, stores the certificate as Secret olm-guard-tls
# and fills the CA into the ValidatingWebhookConfiguration. Run it again to renew: the gate reads
# the new certificate without a restart, and both CAs are trusted while the change spreads.
#
# usage: certs/install.sh [--namespace NS] [--days N] [--out DIR] [--dry-run]
#   --namespace where the gate is (default: where the webhooks say it is, else olm-guard)
#   --out DIR   keep ca.crt, ca.key, tls.crt and tls.key there (default: a folder that is removed)
#   --dry-run   make the files and change nothing in the cluster (needs --out)
set -euo pipefail

namespace=
days=365
out=
apply=true
usage() { sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --namespace) namespace=${2:?}; shift 2 ;;
    --days) days=${2:?}; shift 2 ;;
    --out) out=${2:?}; shift 2 ;;
    --dry-run) apply=false; shift ;;
    *) usage ;;
  esac
done
[ "$apply" = true ] || [ -n "$out" ] || usage
for tool in openssl $([ "$apply" = true ] && echo kubectl); do
  command -v "$tool" >/dev/null || { echo "certs/install.sh: $tool is not on the PATH" >&2; exit 2; }
done

if [ "$apply" = true ]; then
  registered=$(kubectl get validatingwebhookconfiguration olm-guard -o jsonpath='{.webhooks[0].clientConfig.service.namespace}') || {
    echo "certs/install.sh: the registration of the gate cannot be read: apply manifests/base first" >&2
    exit 2
  }
  if [ -n "$registered" ] && [ "${namespace:-$registered}" != "$registered" ]; then
    echo "certs/install.sh: the gate is registered in namespace $registered, not in $namespace: leave --namespace out" >&2
    exit 2
  fi
  namespace=${namespace:-$registered}
fi
namespace=${namespace:-olm-guard}

umask 077
if [ -n "$out" ]; then
  mkdir -p "$out"
else
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi

service=olm-guard.$namespace.svc
openssl ecparam -name prime256v1 -genkey -noout -out "$out/ca.key"
openssl req -x509 -new -key "$out/ca.key" -days "$days" -subj "/CN=olm-guard CA" \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign" \
  -out "$out/ca.crt"
openssl ecparam -name prime256v1 -genkey -noout -out "$out/tls.key"
openssl req -new -key "$out/tls.key" -subj "/CN=$service" -out "$out/tls.csr"
openssl x509 -req -in "$out/tls.csr" -CA "$out/ca.crt" -CAkey "$out/ca.key" -CAcreateserial \
  -days "$days" -out "$out/tls.crt" -extfile <(
    printf 'subjectAltName=DNS:%s,DNS:%s.cluster.local,DNS:olm-guard.%s\nextendedKeyUsage=serverAuth\n' \
      "$service" "$service" "$namespace"
  ) 2>/dev/null
rm -f "$out/tls.csr" "$out/ca.srl"

[ "$apply" = true ] || { echo "made $out/ca.crt, ca.key, tls.crt and tls.key"; exit 0; }

webhooks=$(kubectl get validatingwebhookconfiguration olm-guard -o jsonpath='{range .webhooks[*]}{.name}{"\n"}{end}')
old=$(kubectl get validatingwebhookconfiguration olm-guard -o jsonpath='{.webhooks[0].clientConfig.caBundle}' | base64 -d | openssl x509 2>/dev/null || true)
# The CA first, beside the old one, so that no review meets a certificate it cannot trust.
bundle=$(printf '%s\n%s' "$(cat "$out/ca.crt")" "$old" | base64 | tr -d '\n')
patch=$(i=0; for _ in $webhooks; do printf '%s{"op":"add","path":"/webhooks/%d/clientConfig/caBundle","value":"%s"}' "$([ $i -eq 0 ] || echo ,)" $i "$bundle"; i=$((i + 1)); done)
kubectl patch validatingwebhookconfiguration olm-guard --type=json -p "[$patch]"
kubectl create secret tls olm-guard-tls --namespace "$namespace" --cert "$out/tls.crt" --key "$out/tls.key" \
  --dry-run=client -o yaml | kubectl apply -f -
