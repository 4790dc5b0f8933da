import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDocs } from '../../server/cli/docsBuild.mjs'
import { root } from '../../server/cli/sources.mjs'
import { screenPaths } from '../../server/contracts/screens'
import { helpPages, helpUrl } from './helpPages'

// `npm test` has built them, and then this does nothing
beforeAll(buildDocs)

test('each screen has a page of the documentation, and no other address has', () => {
  expect([...helpPages.keys()].sort()).toEqual([...screenPaths].sort())
})

test.each([...new Set(helpPages.values())])('%s is a page that is there, and a heading that is there', (page) => {
  const [path, heading] = page.split('#')
  const file = join(root, 'build/parley/docs', `${path}.html`)
  expect(existsSync(file)).toBe(true)
  if (heading) expect(readFileSync(file, 'utf8')).toContain(`id="${heading}"`)
})

const [pgid, cgid] = ['a'.repeat(16), 'b'.repeat(16)]
test.each([
  [`/projects/${pgid}/chatbots/${cgid}/builder`, '/docs/editors/canvas'],
  [`/projects/${pgid}/chatbots/new`, '/docs/editors/first-chatbot#make-one'],
  [`/projects/${pgid}/conversations/${cgid}`, '/docs/support/inbox#answer'],
  [`/projects/${pgid}/chatbots/${cgid}/data-sources/new`, '/docs/editors/knowledge#add-sources'],
  ['/login', '/docs/editors/project#your-account'],
  ['/no/such/screen', '/docs/'],
])('the help for %s is %s', (path, url) => {
  expect(helpUrl(path)).toBe(url)
})
