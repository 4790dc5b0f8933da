import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Written when a build is complete: the hash of its sources. */
export const buildStamp = join(root, 'build/sources.sha256')

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

/** @returns one hash of the paths and contents of everything that a build reads */
export function sourcesHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  for (const name of BUILT_FROM)
    for (const path of filesOf(name)) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesOf(path) {
  const entries = path.includes('.') ? null : readdirSync(join(root, path), { withFileTypes: true, recursive: true })
  if (!entries) return existsSync(join(root, path)) ? [path] : []
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)).sort()
}
