import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { buildDocs } from '../../server/cli/docsBuild.mjs'
import { root } from '../../server/cli/sources.mjs'

const folder = join(root, 'build/parley/docs')
let pages: string[]

// `npm test` has built it, and then this does nothing
beforeAll(async () => {
  await buildDocs()
  pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
})

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
/** Addresses that a page loads by itself, links to other pages not among them. */
const loaded = (html: string) =>
  [...html.matchAll(/<(?:script|img|link|iframe|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '')

describe('the built documentation', () => {
  test('has a page for each kind of block', () => {
    const kinds = registry.kinds.map(({ kind }) => `blocks/${kind}.html`)
    expect(pages).toEqual(expect.arrayContaining(kinds))
  })

  test('has no script in its pages, which the server’s policy would not run', () => {
    const inline = pages.filter((path) => /<script(?![^>]*\ssrc=)[^>]*>\s*\S/.test(read(path)))
    expect(inline).toEqual([])
  })

  test('loads nothing from other hosts', () => {
    const foreign = pages.flatMap((path) => loaded(read(path)).filter((url) => !url.startsWith('/docs/')))
    expect(foreign).toEqual([])
  })

  test('loads only files that are there', () => {
    const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `/docs/${path}`))
    const missing = pages.flatMap((path) => loaded(read(path)).filter((url) => !files.has(url)))
    expect(missing).toEqual([])
  })

  test('links to pages that are there, at headings that are there', () => {
    const broken = pages.flatMap((path) =>
      [...read(path).matchAll(/<a\b[^>]*?\shref="(\/docs\/[^"]*)"/g)]
        .map(([, url]) => url ?? '')
        .filter((url) => !leads(url))
        .map((url) => `${path}: ${url}`),
    )
    expect(broken).toEqual([])
  })

  test('has the table of all settings, without links to files that are not served', () => {
    const page = read('operators/settings.html')
    for (const name of ['DATA_DIR', 'BACKUP_SCHEDULE', 'ACME_EAB_HMAC']) expect(page).toContain(`<code>${name}</code>`)
    expect(page).not.toContain('README.md"')
  })
})

function leads(url: string): boolean {
  const [path = '', heading] = url.replace('/docs/', '').split('#')
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`
  return pages.includes(file) && (!heading || read(file).includes(`id="${decodeURIComponent(heading)}"`))
}
