import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type GitRepository, hasGit, startGitServer } from '../../../../tests/support/gitServer'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { addFeed, listFeeds, readFeedNow, updateFeed } from '../../../contracts/feeds'
import { createSecret, deleteSecret, listSecrets, listSecretUses } from '../../../contracts/secrets'
import { deleteSources, listSources, readSource } from '../../../contracts/sources'
import { parseNetworks } from '../../../platform/outbound/addresses'

const clock = createTestClock()
let server: TestServer
let ada: Registered
let docs: GitRepository
let other: OutsideServer
let at: { pgid: string; cgid: string }

beforeAll(async () => {
  other = await startOutsideServer((_, response) => response.end('<html>Hello</html>'))
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1') } })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  other.close()
})
beforeEach(async (context) => {
  at = { pgid: ada.pgid, cgid: (await makeChatbot(ada)).cgid }
  if (!hasGit) return
  docs = await startGitServer()
  context.onTestFinished(() => docs.close())
})

async function add(more: object = {}) {
  const body = { kind: 'git' as const, url: docs.url, branch: '', folder: '', most: 100, resync: 'never' as const }
  const { feed } = await ada.call(addFeed, { params: at, body: { ...body, ...more } })
  await due()
  return feed.gid
}
const feeds = async () => (await ada.call(listFeeds, { params: at })).feeds
const sources = async () =>
  (await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })).sources.toSorted((a, b) =>
    a.title < b.title ? -1 : 1,
  )
const titles = async () => (await sources()).map(({ title, status }) => `${title}: ${status}`)
async function due() {
  const isDone = async () => {
    await server.context.jobs.runDue()
    const isReading = (await feeds()).some(({ state }) => state === 'reading')
    return !isReading && (await sources()).every(({ status }) => status === 'ready' || status === 'error')
  }
  await expect.poll(isDone).toBe(true)
}
async function readNow(gid: string) {
  docs.calls.length = 0
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
}
async function passagesOf(title: string) {
  const gid = (await sources()).find((source) => source.title === title)?.gid ?? ''
  return (await ada.call(readSource, { params: { ...at, gid } })).chunks
}
const posts = () => docs.calls.filter(({ path }) => path.endsWith('/git-upload-pack')).length

/** Each way in which servers give files: apart from folders, or along with them. */
for (const isApart of [true, false])
  test.skipIf(!hasGit)(
    `a repository’s text files are trained; what has changed is read again, what is deleted goes (${isApart ? 'files apart' : 'files along'})`,
    async () => {
      await docs.git('config', 'uploadpack.allowFilter', String(isApart))
      const long = Array.from({ length: 400 }, (_, line) => `Line ${line} of the changes, which are many.`).join('\n')
      await docs.commit({
        'docs/setup.md': '---\ntitle: "Set it up"\n---\n# Setup\n\n## Power\nPlug it in before you press start.\n',
        'docs/guide/care.mdx': "import { Tip } from './tip'\n\n# Care\n\n<Tip>Wipe it with a dry cloth.</Tip>\n",
        'docs/notes.txt': 'Plain words on lamps.',
        'docs/.hidden.md': 'Not for readers.',
        'docs/picture.png': 'no text',
        'CHANGES.md': `# Changes\n\n${long}`,
        'src/main.ts': 'export {}',
      })
      const gid = await add()
      expect(await titles()).toEqual(['Care: ready', 'Changes: ready', 'Set it up: ready', 'notes: ready'])
      expect(await feeds()).toMatchObject([{ state: 'ready', title: 'docs', sources: 4, reason: null }])
      const [power] = await passagesOf('Set it up')
      expect(power).toMatchObject({
        heading: expect.stringContaining('Power'),
        text: expect.stringContaining('Plug it'),
      })
      const care = (await passagesOf('Care')).map(({ text }) => text).join()
      expect(care).toContain('dry cloth')
      expect(care).not.toMatch(/import|Tip/)
      const web = docs.url.replace('.git', '')
      expect((await sources()).map(({ url }) => url)).toContain(`${web}/blob/main/docs/setup.md`)

      // the branch stands where it stood: no file is asked for
      await readNow(gid)
      expect([posts(), docs.calls.length]).toEqual([0, 1])

      // packed, objects are told as changes of others
      await docs.commit({
        'docs/setup.md': '---\ntitle: "Set it up"\n---\n# Setup\n\n## Power\nIt starts by itself.\n',
        'CHANGES.md': `# Changes\n\n${long}\nOne more.`,
        'docs/notes.txt': null,
        'docs/words.txt': 'Plain words on lamps.',
      })
      await docs.git('gc', '-q', '--aggressive')
      await readNow(gid)
      expect(await titles()).toEqual(['Care: ready', 'Changes: ready', 'Set it up: ready', 'words: ready'])
      expect((await passagesOf('Set it up'))[0]?.text).toContain('by itself')
      expect(posts()).toBe(isApart ? 2 : 1)

      // what a member deletes stays out until it is wanted again
      const gids = (await sources()).filter(({ title }) => title === 'words').map((source) => source.gid)
      await ada.call(deleteSources, { params: at, body: { gids } })
      await readNow(gid)
      expect(await titles()).not.toContain('words: ready')
      await ada.call(updateFeed, { params: { ...at, gid }, body: { left_out: 0 } })
      await readNow(gid)
      expect(await titles()).toContain('words: ready')
    },
  )

test.skipIf(!hasGit)('a branch, a folder and how many files are taken can be chosen', async () => {
  await docs.commit({
    'docs/one.md': '# One',
    'docs/two.md': '# Two',
    'docs-old/three.md': '# Three',
    'four.md': '# Four',
  })
  await docs.git('checkout', '-q', '-b', 'next')
  await docs.commit({ 'docs/five.md': '# Five' })
  await docs.git('checkout', '-q', 'main')
  const gid = await add({ branch: 'next', folder: '/docs/', most: 2 })
  expect(await titles()).toEqual(['Five: ready', 'One: ready'])
  expect(await feeds()).toMatchObject([
    {
      title: 'docs / docs',
      options: { branch: 'next', folder: 'docs' },
      reason: expect.stringContaining('the first 2'),
    },
  ])
  await expect(add()).rejects.toThrow('follows it already')
  await docs.git('branch', '-D', 'next')
  await readNow(gid)
  expect(await feeds()).toMatchObject([
    { state: 'error', sources: 2, reason: expect.stringContaining('no branch “next”') },
  ])
})

test.skipIf(!hasGit)('a private repository is read with a token, which is a secret of the project', async () => {
  await docs.commit({ 'one.md': '# One' })
  docs.authorization = `Basic ${Buffer.from('oauth2:a-long-token').toString('base64')}`
  await expect(add({ secret: 'DOCS' })).rejects.toThrow('no secret')
  const gid = await add()
  expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining('needs an access token') }])
  expect(docs.calls.every(({ authorization }) => authorization === undefined)).toBe(true)
  expect(gid).not.toBe('')
  at = { pgid: ada.pgid, cgid: (await makeChatbot(ada)).cgid }
  const params = { pgid: ada.pgid }
  await ada.call(createSecret, { params, body: { name: 'DOCS', value: 'a-long-token' } })
  const private_ = await add({ secret: 'DOCS' })
  expect(await titles()).toEqual(['One: ready'])
  expect(JSON.stringify(await feeds())).not.toContain('a-long-token')
  await expect(add({ url: 'http://example.com/docs.git', secret: 'DOCS' })).rejects.toThrow()
  const [secret] = (await ada.call(listSecrets, { params })).secrets
  const [{ title = '' } = {}] = await feeds()
  expect((await ada.call(listSecretUses, { params })).uses.DOCS).toMatchObject([{ flows: [], lists: [title] }])
  const unasked = ada.call(deleteSecret, { params: { ...params, gid: secret?.gid ?? '' }, body: { confirmed: false } })
  await expect(unasked).rejects.toThrow(`DOCS is used in “Bot” (${title})`)
  await ada.call(deleteSecret, { params: { ...params, gid: secret?.gid ?? '' }, body: { confirmed: true } })
  await readNow(private_)
  expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining('“DOCS” does not exist') }])
})

test.skipIf(!hasGit)('what is no repository, and an empty one, are told with the remedy', async () => {
  await add()
  expect(await feeds()).toMatchObject([
    { state: 'error', reason: expect.stringMatching(/no branch yet|as a Git server/) },
  ])
  await add({ url: other.url })
  expect(await feeds()).toMatchObject([{ reason: expect.stringContaining('did not answer as a Git server does') }, {}])
})
