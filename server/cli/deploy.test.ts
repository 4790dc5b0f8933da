import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { expect, test } from 'vitest'
import { readLiveness, readReadiness } from '../contracts/probes'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.\w+$|Dockerfile|Caddy/.test(name),
)
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Names of settings that a file gives to Parley, wherever they stand in it. */
const settingsIn = (text: string) =>
  [...text.matchAll(/(?<![\w$])([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT)(?=[=:])/g)].map(([name]) => name)

test('settings that the samples give are settings that there are', () => {
  const table = readFileSync(join(root, 'README.md'), 'utf8')
  const known = new Set([...table.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name))
  const others = new Set(['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])
  const given = files
    .filter((name) => !name.endsWith('.md') && !name.endsWith('.json'))
    .flatMap((name) => settingsIn(read(name)).map((setting) => `${name}: ${setting}`))
  expect(given.length).toBeGreaterThan(15)
  expect(given.filter((each) => !known.has(each.split(': ')[1]) && !others.has(each.split(': ')[1] ?? ''))).toEqual([])
})

test('samples in YAML can be read, and ask the probes that there are', () => {
  // templates of the chart are no YAML yet: helm.test.ts reads them
  const documents = files.filter((name) => /\.ya?ml$/.test(name) && !name.includes('/templates/'))
  expect(documents.length).toBeGreaterThan(3)
  for (const name of documents) expect(loadAll(read(name)).length, name).toBeGreaterThan(0)
  const probes = [readLiveness.path, readReadiness.path]
  for (const name of files)
    for (const [path] of read(name).matchAll(/\/(?:healthz|readyz|livez|health|ready)\b/g))
      expect(probes, name).toContain(path)
})

test('whatever is deployed runs as nobody in particular, on a disk that it cannot write, and stops by a signal to it alone', () => {
  const dockerfile = read('docker/Dockerfile')
  expect(dockerfile).toMatch(/^USER 10001:10001$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  // not npm, and no shell: they keep signals to themselves
  expect(dockerfile).toContain('CMD ["node", "parley.mjs", "start"]')
  for (const name of ['docker/compose.yml', 'docker/compose.cluster.yml'])
    expect(read(name)).toContain('read_only: true')
  expect(read('kubernetes/parley.yaml')).toMatch(/runAsNonRoot: true[\s\S]*readOnlyRootFilesystem: true/)
  expect(read('systemd/parley.service')).toMatch(/KillMode=mixed[\s\S]*ProtectSystem=strict/)
})
