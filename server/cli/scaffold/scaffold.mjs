// Writes the first files of a new part, and its line in the list.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../sources.mjs'
import { block } from './block.mjs'
import { module } from './module.mjs'

const kinds = { module, block }
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/**
 * Generates a new part.
 * @param what `module` or `block`
 * @param name in lower case, words joined by hyphens
 * @returns the paths written, and next steps
 * @throws before anything is written, if the name is invalid or taken
 */
export function scaffold(what, name, folder = root) {
  const make = Object.hasOwn(kinds, what ?? '') ? kinds[what] : null
  if (!make || !NAME.test(name ?? ''))
    throw new Error(
      'Write `npm run new -- module labels` or `npm run new -- block calculator`: letters, digits, hyphens.',
    )
  const { files, lists, next } = make(name, folder)
  for (const path of Object.keys(files))
    if (existsSync(join(folder, path))) throw new Error(`${path} is there already: choose another name.`)
  const changed = Object.entries(lists).map(([path, change]) => [
    path,
    change(readFileSync(join(folder, path), 'utf8')),
  ])
  for (const [path, text] of [...Object.entries(files), ...changed]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const written = [...Object.keys(files), ...Object.keys(lists)]
  const sources = written.filter((path) => /\.(tsx?|json)$/.test(path))
  spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...sources], { cwd: folder, stdio: 'ignore' })
  return { written, next }
}
