{{- define "olm-guard.name" -}}
{{ .Values.nameOverride | default "olm-guard" }}
{{- end }}

{{- define "olm-guard.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default "olm-guard" }}
{{- end }}

{{- define "olm-guard.labels" -}}
app.kubernetes.io/name: {{ include "olm-guard.name" . }}
app.kubernetes.io/part-of: olm-guard
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "olm-guard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* Refuses Fail where the API server could not believe the gate: every guarded write would stand still. */ -}}
{{- define "olm-guard.workingAuthority" -}}
{{- $isCluster := lookup "v1" "Namespace" "" "kube-system" -}}
{{- if and (or .Values.enforcing (has "Fail" (values .Values.failurePolicies))) $isCluster -}}
{{- $registered := lookup "admissionregistration.k8s.io/v1" "ValidatingWebhookConfiguration" "" "olm-guard" -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace "olm-guard-tls" -}}
{{- if not $registered -}}
{{- fail "enforcing: the gate is not registered yet. Install it without enforcing, see it answer, then upgrade with enforcing=true" -}}
{{- end -}}
{{- range $registered.webhooks -}}
{{- if not .clientConfig.caBundle -}}
{{- fail (printf "enforcing: webhook %s has no caBundle, so the API server would refuse every write it guards. Make the certificate first (certificates=self-managed, cert-manager or openshift, or certs/install.sh), then upgrade with enforcing=true" .name) -}}
{{- end -}}
{{- end -}}
{{- if not $secret -}}
{{- fail (printf "enforcing: there is no Secret olm-guard-tls in namespace %s, so the gate cannot answer. Make the certificate first, then upgrade with enforcing=true" .Release.Namespace) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Events about reviews that anybody may have made up would be anybody's to write. */}}
{{- define "olm-guard.toldByApiServers" -}}
{{- if not (or .Values.clientCertificate.enabled .Values.aggregatedApi) -}}
{{- fail "events: only denials that an API server asked for are told. Set aggregatedApi=true or clientCertificate.enabled=true too (docs/client-certificate.md)" -}}
{{- end -}}
{{- end }}

{{- /* The API server shows itself in one way. */ -}}
{{- define "olm-guard.shownOnce" -}}
{{- if .Values.clientCertificate.enabled -}}
{{- fail "aggregatedApi and clientCertificate.enabled exclude each other: set one of them (docs/client-certificate.md)" -}}
{{- end -}}
{{- end }}
