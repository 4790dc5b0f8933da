import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, loadAll } from 'js-yaml'
import { expect, test } from 'vitest'

/**
 * The chart's structure, read as YAML once the actions of its templates are taken away: neither helm nor a package that
 * renders its templates is to be had here. What the actions write is not checked.
 */
const chart = join(import.meta.dirname, '../../deploy/helm/parley')
const read = (name: string) => readFileSync(join(chart, name), 'utf8')
const templates = readdirSync(join(chart, 'templates'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: read(`templates/${name}`) }))

/** Lines that are an action alone go; an action within a line becomes a word. */
const withoutActions = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\s*\{\{-?.*\}\}$/.test(line) || /^\s*[\w-]+:/.test(line))
    .map((line) => line.replaceAll(/"?\{\{.*?\}\}"?/g, 'x').replace(/^(\s*)x: x$/, '$1name: x'))
    .join('\n')

interface Manifest {
  kind: string
  spec?: { template?: { spec: Record<string, unknown> & { containers: Record<string, unknown>[] } } }
}
const manifests = templates.flatMap(({ text }) => loadAll(withoutActions(text)) as Manifest[])

test('the chart makes what Parley needs, and no more', () => {
  expect(load(read('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'parley' })
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    ...['ConfigMap', 'Deployment', 'Ingress', 'PersistentVolumeClaim', 'Secret', 'Service'],
  ])
})

test('its process runs as nobody in particular, on a disk that it cannot write, and is asked the probes that there are', () => {
  const pod = manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
  })
  expect(pod?.containers[0]).toMatchObject({
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    readinessProbe: { httpGet: { path: '/readyz' } },
    livenessProbe: { httpGet: { path: '/healthz' } },
  })
})

test('every value that a template names is one that there is, each is named, and blocks are closed', () => {
  const values = load(read('values.yaml')) as Record<string, unknown>
  const whole = [...templates.map(({ text }) => text), read('templates/_names.tpl'), read('templates/NOTES.txt')]
  const named = new Set<string>()
  for (const text of whole) {
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) named.add(path)
    const opened = text.match(/\{\{-? *(?:if|range|with|define) /g)?.length ?? 0
    expect(text.match(/\{\{-? *end *-?\}\}/g)?.length ?? 0).toBe(opened)
  }
  // given by who installs it
  named.delete('secrets.SECRET_KEYS')
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], values)
  expect([...named].filter((path) => valueAt(path) === undefined)).toEqual([])
  const groups = new Set([...named].map((path) => path.split('.')[0]))
  expect(Object.keys(values).filter((key) => !groups.has(key))).toEqual([])
})
