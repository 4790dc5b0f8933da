import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../tests/support/server'
import { askDocs } from './contracts/documentation'

let server: TestServer
let ada: Registered
let docsDir: string
beforeAll(async () => {
  docsDir = await mkdtemp(join(tmpdir(), 'parley-docs-'))
  server = await startTestServer({ docsDir })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(docsDir, { recursive: true })
})

const ask = (question: string) => ada.call(askDocs, { query: { question } })

/** A page as VitePress builds it. */
async function build(path: string, title: string, sections: Record<string, string>): Promise<void> {
  const heading = (level: number, words: string) => {
    const id = words.toLowerCase().replaceAll(' ', '-')
    return `<h${level} id="${id}" tabindex="-1">${words} <a class="header-anchor" href="#${id}" aria-label="Permalink">\u200b</a></h${level}>`
  }
  const parts = Object.entries(sections).map(([words, text]) => `${heading(2, words)}<p>${text}</p>`)
  await mkdir(dirname(join(docsDir, path)), { recursive: true })
  await writeFile(
    join(docsDir, path),
    `<html lang="en"><head><title>${title} · Parley docs</title></head><body><nav><a href="/docs/">Menu</a></nav>
     <main>${heading(1, title)}${parts.join('')}</main></body></html>`,
  )
}

test('without a build of the documentation nothing is found', async () => {
  await expect(ask('How do I publish?')).rejects.toThrow('not_found')
})

test('a question is answered from the section that says it, with where it stands', async () => {
  await build('404.html', 'Unknown page', { 'Publish nothing': 'How to publish: not here.' })
  await build('editors/versions.html', 'Versions', {
    Publish:
      'Press <strong>Publish</strong> above the canvas to give visitors your draft, see <a href="/docs/editors/sharing">sharing</a>.',
    'Restore a version':
      'Choose an older version in the list of versions and press Restore. The draft is replaced by it.',
  })
  await build('operators/index.html', 'Operators', {
    Backup: 'Run the backup command each night. It writes a folder with the database, files and keys.',
  })
  expect(await ask('how do i restore an older version?')).toEqual({
    text: 'Choose an older version in the list of versions and press Restore. The draft is replaced by it. [1]',
    unsure: false,
    places: [{ title: 'Versions › Restore a version', path: '/docs/editors/versions#restore-a-version' }],
  })
  const { text, places } = await ask('how do I publish my draft for visitors')
  expect(text).toContain('give visitors your draft, see sharing')
  expect(places).toEqual([{ title: 'Versions › Publish', path: '/docs/editors/versions#publish' }])
  expect((await ask('backup command of each night')).places).toEqual([
    { title: 'Operators › Backup', path: '/docs/operators/#backup' },
  ])
})

test('where nothing answers, the nearest places are named and nothing is said', async () => {
  const { text, places } = await ask('why do cats purr when they press somebody')
  expect(text).toBeNull()
  expect(places.length).toBeGreaterThan(0)
  expect(places.length).toBeLessThan(4)
})

test.each([
  ['   ', 'Enter a question'],
  ['why '.repeat(100), 'At most 300 characters'],
])('a question that is empty or too long is refused with what to do', async (question, problem) => {
  await expect(ask(question)).rejects.toThrow(problem)
})
