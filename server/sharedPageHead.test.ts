import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noise, picture } from '../tests/support/pictures'
import { type Registered, startTestServer, type TestServer } from '../tests/support/server'
import { createChatbot } from './contracts/chatbots'
import { publishFlow } from './contracts/flows'
import { publishLook, saveLook, saveShare, saveVisibility, setSharePassword } from './contracts/web'
import { lookSchema } from './contracts/web/look'
import { type ShareSettings, shareSchema, type VisibilitySettings, visibilitySchema } from './contracts/web/settings'

const MARK = '<link rel="icon" type="image/svg+xml" href="/assets/mark.svg" />'

let folder: string
let server: TestServer
let editor: Registered
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  await mkdir(join(folder, 'widget'))
  const page = (head: string) => `<!doctype html><html><head>${head}</head><body></body></html>`
  await writeFile(join(folder, 'index.html'), page('<title>Parley</title>'))
  const built = `<meta name="robots" content="noindex" />${MARK}<title>Chat</title>`
  await writeFile(join(folder, 'widget/chat.html'), page(built))
  server = await startTestServer({ clientDir: folder })
  editor = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const PNG = await picture()
/** An image in the files of somebody's project; its address. */
async function upload(body: Buffer, person = editor): Promise<string> {
  const answer = await fetch(`${server.url}/api/projects/${person.pgid}/files?name=a.png&medium=image`, {
    method: 'POST',
    headers: {
      cookie: [...person.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      'x-xsrf-token': person.cookies.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/octet-stream',
    },
    body: new Uint8Array(body),
  })
  const { data } = (await answer.json()) as { data: { file: { url: string } } }
  return new URL(data.file.url, server.url).pathname
}

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
  const image = await upload(PNG)
  await share({ title: evil, description: evil, image })
  const { text } = await page()
  const said = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;'
  expect(text).toContain(`<meta property="og:title" content="${said}" />`)
  expect(text).toContain(`<meta name="description" content="${said}" />`)
  expect(text).toContain(`<meta property="og:image" content="${server.context.config.publicUrl}${image}" />`)
  expect(text).toContain(`<meta property="og:url" content="${server.context.config.publicUrl}/c/${slug}" />`)
  expect(text).not.toContain('<script>')
})

it('takes as a card’s image what is in the project and what link previews show, and says what is wrong with others', async () => {
  const { params, share, page } = await makeChatbot()
  const refused = (image: string) => share({ image }).catch(({ message }: Error) => message)
  expect(await refused('/files/0000000000000000')).toContain('This file is not in the project')
  expect(await refused(await upload(await picture('avif')))).toContain('Link previews show PNG')
  expect(await refused(await upload(await noise(1_500, 1_200)))).toContain('at most 5 MB')
  const stranger = await server.register()
  expect(await refused(await upload(PNG, stranger))).toContain('This file is not in the project')
  await share({ image: await upload(PNG) })
  expect((await page()).text).toContain('<meta name="twitter:card" content="summary_large_image" />')
  // what is there stays, as in a copy of a chatbot of another project
  const saved = JSON.stringify({ ...shareSchema.parse({}), image: '/files/0000000000000000' })
  const { id } = await server.context.db
    .selectFrom('chatbots')
    .select('id')
    .where('gid', '=', params.cgid)
    .executeTakeFirstOrThrow()
  await server.context.db.updateTable('web_chats').set({ share: saved }).where('chatbot_id', '=', id).execute()
  await share({ image: '/files/0000000000000000', title: 'Lamps' })
})

it('shows the chatbot’s picture in the tab, or ours', async () => {
  const { params, page } = await makeChatbot()
  expect((await page()).text).toContain(MARK)
  const avatar = await upload(PNG)
  const look = lookSchema.parse({ brand: { avatar } })
  await editor.call(saveLook, { params, body: { look, revision: 0 } })
  await editor.call(publishLook, { params, body: { revision: 1 } })
  const { text } = await page()
  expect(text).toContain(`<link rel="icon" href="${avatar}" />`)
  expect(text).not.toContain(MARK)
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
