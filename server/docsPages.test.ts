import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../tests/support/client'
import { startTestServer, type TestServer } from '../tests/support/server'

let server: TestServer
let guest: TestClient
let docsDir: string
beforeAll(async () => {
  docsDir = await mkdtemp(join(tmpdir(), 'parley-docs-'))
  for (const folder of ['assets', 'blocks', 'editors']) await mkdir(join(docsDir, folder))
  const pages = {
    'index.html': 'home',
    '404.html': 'unknown',
    'blocks/index.html': 'blocks',
    'editors/canvas.html': 'canvas',
  }
  for (const [path, title] of Object.entries(pages)) await writeFile(join(docsDir, path), `<title>${title}</title>`)
  await writeFile(join(docsDir, 'assets/app.abc123.js'), 'app()')
  server = await startTestServer({ docsDir })
  guest = await server.guest()
})
afterAll(async () => {
  await server.close()
  await rm(docsDir, { recursive: true })
})

test.each([
  ['/docs/', 'home'],
  ['/docs/blocks/', 'blocks'],
  ['/docs/editors/canvas', 'canvas'],
  ['/docs/editors/canvas?from=builder', 'canvas'],
])('%s is a page of the documentation, for anybody', async (path, title) => {
  const answer = await guest.send('GET', path)
  expect(answer).toMatchObject({ status: 200, text: `<title>${title}</title>` })
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
})

test.each([
  ['/docs', '/docs/'],
  ['/docs/blocks', '/docs/blocks/'],
])('%s leads to the folder’s page', async (path, to) => {
  const { status, headers } = await guest.send('GET', path)
  expect([status, headers.get('location')]).toEqual([301, to])
})

test.each([
  '/docs/nothing',
  '/docs/editors/canvas/more',
  '/docs/editors/',
  '/docs/..%2f..%2fpackage.json',
  '/docs/.hidden',
])('%s is no page: the documentation says so, with status 404', async (path) => {
  expect(await guest.send('GET', path)).toMatchObject({ status: 404, text: '<title>unknown</title>' })
})

test('what is named by its hash is kept for ever', async () => {
  const { status, headers } = await guest.send('GET', '/docs/assets/app.abc123.js')
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
})
