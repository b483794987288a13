{{- define "valetkey.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "valetkey.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 55 | trimSuffix "-" -}}
{{- else if contains (include "valetkey.name" .) .Release.Name -}}
{{- .Release.Name | trunc 55 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "valetkey.name" .) | trunc 55 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "valetkey.selector" -}}
app.kubernetes.io/name: {{ include "valetkey.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "valetkey.labels" -}}
{{ include "valetkey.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "valetkey.serviceAccount" -}}
{{- default (ternary (include "valetkey.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "valetkey.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- define "valetkey.host" -}}
{{- regexReplaceAll ":[0-9]+$" (trimPrefix "https://" .Values.publicUrl) "" -}}
{{- end -}}

{{- define "valetkey.scheme" -}}
{{- ternary "https" "http" (not (empty .Values.tls.existingSecret)) -}}
{{- end -}}

{{/* What both the pods and the Job that migrates run with. */}}
{{- define "valetkey.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
# Files of Secrets belong to root and are readable by this group.
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "valetkey.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "valetkey.env" -}}
- { name: VALETKEY_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: VALETKEY_LISTEN, value: "0.0.0.0:8080" }
{{- with .Values.trustedProxies }}
- { name: VALETKEY_TRUSTED_PROXIES, value: {{ join " " . | quote }} }
{{- end }}
- { name: VALETKEY_ROOT_KEY_FILE, value: /run/secrets/valetkey/root.key }
- name: VALETKEY_DATABASE
  valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret | quote }}, key: database } }
- { name: VALETKEY_DATABASE_POOL, value: {{ .Values.databasePool | quote }} }
- name: VALETKEY_REDIS
  valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret | quote }}, key: redis, optional: true } }
- { name: VALETKEY_LIMITS_DRAIN, value: "{{ .Values.shutdown.drainSeconds }}s" }
{{- if .Values.tls.existingSecret }}
- { name: VALETKEY_TLS_CERTIFICATE, value: /run/secrets/tls/tls.crt }
- { name: VALETKEY_TLS_KEY, value: /run/secrets/tls/tls.key }
{{- end }}
{{- if .Values.api.existingConfigMap }}
- { name: VALETKEY_API, value: /etc/valetkey/{{ .Values.api.key }} }
{{- end }}
{{- if .Values.databaseCa.existingConfigMap }}
- { name: VALETKEY_DATABASE_CA, value: /run/secrets/database-ca/{{ .Values.databaseCa.key }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "valetkey.mounts" -}}
- { name: root-key, mountPath: /run/secrets/valetkey, readOnly: true }
# With PostgreSQL nothing is kept here.
- { name: data, mountPath: /var/lib/valetkey }
{{- if .Values.tls.existingSecret }}
- { name: tls, mountPath: /run/secrets/tls, readOnly: true }
{{- end }}
{{- if .Values.api.existingConfigMap }}
- { name: api, mountPath: /etc/valetkey, readOnly: true }
{{- end }}
{{- if .Values.databaseCa.existingConfigMap }}
- { name: database-ca, mountPath: /run/secrets/database-ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "valetkey.volumes" -}}
- name: root-key
  secret:
    secretName: {{ .Values.existingSecret | quote }}
    defaultMode: 0440
    items: [{ key: root.key, path: root.key }]
- name: data
  emptyDir: { sizeLimit: 64Mi }
{{- with .Values.tls.existingSecret }}
- name: tls
  secret: { secretName: {{ . | quote }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.api.existingConfigMap }}
- name: api
  configMap: { name: {{ . | quote }} }
{{- end }}
{{- with .Values.databaseCa.existingConfigMap }}
- name: database-ca
  configMap: { name: {{ . | quote }} }
{{- end }}
{{- end -}}
