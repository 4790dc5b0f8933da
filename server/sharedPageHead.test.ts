import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../tests/support/server'
import { createChatbot } from './contracts/chatbots'
import { publishFlow } from './contracts/flows'
import { saveShare, saveVisibility, setSharePassword } from './contracts/web'
import { type ShareSettings, shareSchema, type VisibilitySettings, visibilitySchema } from './contracts/web/settings'

let folder: string
let server: TestServer
let editor: Registered
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  await mkdir(join(folder, 'widget'))
  const page = (head: string) => `<!doctype html><html><head>${head}</head><body></body></html>`
  await writeFile(join(folder, 'index.html'), page('<title>Parley</title>'))
  const built = '<meta name="robots" content="noindex" /><title>Chat</title>'
  await writeFile(join(folder, 'widget/chat.html'), page(built))
  server = await startTestServer({ clientDir: folder })
  editor = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function makeChatbot() {
  const { chatbot } = await editor.call(createChatbot, {
    params: { pgid: editor.pgid },
    body: { name: 'Tom & "Co" <b>' },
  })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  await editor.call(publishFlow, { params: { ...params, fid: chatbot.fid } })
  const share = (change: Partial<ShareSettings>) =>
    editor.call(saveShare, { params, body: { settings: { ...shareSchema.parse({}), ...change } } })
  const show = (change: Partial<VisibilitySettings>) =>
    editor.call(saveVisibility, { params, body: { settings: { ...visibilitySchema.parse({}), ...change } } })
  const page = async () => {
    const { status, text, headers } = await (await server.guest()).send('GET', `/c/${chatbot.slug}`)
    return { status, text, robots: headers.get('x-robots-tag') }
  }
  return { params, slug: chatbot.slug, share, show, page }
}

it('tells of a page what its card says, and nothing of it is markup', async () => {
  const { slug, share, page } = await makeChatbot()
  expect((await page()).text).toContain('<title>Tom &amp; &quot;Co&quot; &lt;b&gt;</title>')
  const evil = '"><script>alert(1)</script>$&'
  await share({ title: evil, description: evil, image: '/files/abc' })
  const { text } = await page()
  const said = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;'
  expect(text).toContain(`<meta property="og:title" content="${said}" />`)
  expect(text).toContain(`<meta name="description" content="${said}" />`)
  expect(text).toContain(`<meta property="og:image" content="${server.context.config.publicUrl}/files/abc" />`)
  expect(text).toContain(`<meta property="og:url" content="${server.context.config.publicUrl}/c/${slug}" />`)
  expect(text).not.toContain('<script>')
})

it('is listed by search engines where it is public, open to all, and the settings say so', async () => {
  const { params, share, show, page } = await makeChatbot()
  const isListed = async () => {
    const { text, robots } = await page()
    const [, inPage] = /<meta name="robots" content="([^"]*)"/.exec(text) ?? []
    expect(inPage).toBe(robots)
    return robots === 'all'
  }
  expect(await isListed()).toBe(false)
  await share({ robots: true })
  expect(await isListed()).toBe(true)
  await show({ visibility: 'unlisted' })
  expect(await isListed()).toBe(false)
  await show({})
  await share({ robots: true, auth_enabled: true })
  expect(await isListed()).toBe(false)
  await share({ robots: true })
  await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
  expect(await isListed()).toBe(false)
})

it('is a 404 without a name where nobody is to see it', async () => {
  const { show, page } = await makeChatbot()
  await show({ visibility: 'off' })
  const { status, text, robots } = await page()
  expect([status, robots]).toEqual([404, 'noindex, nofollow'])
  expect(text).not.toContain('Tom')
})
