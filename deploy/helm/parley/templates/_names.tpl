{{- define "parley.name" -}}
{{- printf "%s" .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}

{{- define "parley.secret" -}}
{{- .Values.existingSecret | default (include "parley.name" .) -}}
{{- end -}}

{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
