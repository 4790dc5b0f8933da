import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What `npm run build` makes: a folder that runs without this one and without npm. */
export const dist = join(root, 'build/parley')

/** Written when a build is complete: the hash of its sources. */
export const buildStamp = join(root, 'build/sources.sha256')

/** Written when the documentation is built, likewise. */
export const docsStamp = join(root, 'build/docs.sha256')

const BUILT_FROM = [
  'engine',
  'blocks',
  'server',
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** What the documentation is built from: its pages, and what pages are generated from. */
const DOCS_BUILT_FROM = ['src/docs', 'engine', 'blocks', 'src/i18n/en', 'README.md', 'package-lock.json']
const OF_DOCS = /^src\/docs\//
/** What VitePress writes beside its sources while it works. */
const PASSING = /^src\/docs\/(?:.*\/)?(?:\.temp\/|[^/]+\.timestamp-)/

/** @returns one hash of the paths and contents of everything that a build reads; the documentation is built apart */
export const sourcesHash = () => hashOf(BUILT_FROM, (path) => !OF_DOCS.test(path))

/** @returns the same of everything that the documentation is built from */
export const docsHash = () => hashOf(DOCS_BUILT_FROM, (path) => !PASSING.test(path))

function hashOf(names, isRead) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  for (const name of names)
    for (const path of filesOf(name).filter(isRead)) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesOf(path) {
  const entries = path.includes('.') ? null : readdirSync(join(root, path), { withFileTypes: true, recursive: true })
  if (!entries) return existsSync(join(root, path)) ? [path] : []
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)).sort()
}
