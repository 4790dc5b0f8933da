import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preloading } from './preloads'

const PAGE = '<html><head><script src="/assets/app.js"></script></head></html>'

function built(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-preloads-'))
  const manifest = {
    'index.html': { file: 'assets/app.js', name: 'app' },
    'screens/builder/BuilderScreen.tsx': { file: 'assets/screen.js', imports: ['_builder.js', 'index.html'] },
    '_builder.js': { file: 'assets/builder.js', name: 'builder', css: ['assets/builder.css'], imports: ['_yjs.js'] },
    '_yjs.js': { file: 'assets/yjs.js' },
    '_texts.js': { file: 'assets/texts.js', name: 'texts-of-builder' },
    '../blocks/text/editor.tsx': { file: 'assets/editor.js', imports: ['_builder.js'] },
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return folder
}

const hinted = (page: string) =>
  [...page.matchAll(/<link rel="(\w+)"[^>]* href="\/assets\/([\w.]+)" fetchpriority="(\w+)"/g)].map((hit) =>
    hit.slice(1),
  )

test('the page of the builder names all that the builder is made of, and not what is opened in it', () => {
  const page = preloading(PAGE, built())('/projects/p1/chatbots/c1/builder')
  expect(hinted(page)).toEqual([
    ['modulepreload', 'screen.js', 'high'],
    ['modulepreload', 'texts.js', 'high'],
    ['preload', 'builder.css', 'high'],
    ['modulepreload', 'builder.js', 'high'],
    ['modulepreload', 'yjs.js', 'high'],
  ])
})

test('other pages name nothing of it, and without a manifest no page does', () => {
  expect(preloading(PAGE, built())('/projects/p1/chatbots/c1/data-sources')).toBe(PAGE)
  expect(preloading(PAGE, '/nowhere')('/projects/p1/chatbots/c1/builder')).toBe(PAGE)
})
