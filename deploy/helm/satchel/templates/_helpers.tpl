{{- define "satchel.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "satchel.labels" -}}
app.kubernetes.io/name: satchel
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "satchel.selector" -}}
app.kubernetes.io/name: satchel
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "satchel.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "satchel.sandboxImage" -}}
{{ .Values.sandbox.image | default (include "satchel.image" .) }}
{{- end -}}

{{- define "satchel.sandboxNamespace" -}}
{{ .Values.sandbox.namespace | default .Release.Namespace }}
{{- end -}}
