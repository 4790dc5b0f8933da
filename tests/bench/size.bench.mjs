// First-load JavaScript and CSS of the app and of the chat page: what the page asks for before anything is clicked, gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dist } from '../../server/cli/sources.mjs'

const client = join(dist, 'client')
const manifest = JSON.parse(readFileSync(join(client, 'manifest.json'), 'utf8'))

/** @returns the files that `entry` loads at once, its static imports included */
function firstLoad(entry) {
  const files = new Set()
  const visit = (key) => {
    const { file, css = [], imports = [] } = manifest[key]
    if (files.has(file)) return
    for (const path of [file, ...css]) files.add(path)
    imports.forEach(visit)
  }
  visit(entry)
  return [...files]
}

const kilobytes = (files) =>
  (files.reduce((sum, file) => sum + gzipSync(readFileSync(join(client, file))).length, 0) / 1024).toFixed(1)

for (const [name, entry] of [
  ['app', 'index.html'],
  ['chat page', 'widget/chat.html'],
]) {
  const files = firstLoad(entry)
  const scripts = files.filter((file) => file.endsWith('.js'))
  const styles = files.filter((file) => file.endsWith('.css'))
  console.log(
    `${name}: ${kilobytes(scripts)} KB JavaScript in ${scripts.length} files, ${kilobytes(styles)} KB CSS (gzip)`,
  )
}
