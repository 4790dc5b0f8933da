import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type TestClient } from '../../../tests/support/client'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { chatPage, startConversation } from '../../contracts/chat'
import { createChatbot, deleteChatbot, duplicateChatbot } from '../../contracts/chatbots'
import { publishFlow } from '../../contracts/flows'
import { publishLook, readEmbed, readLook, readSurvey, saveEmbed, saveLook, saveSurvey } from '../../contracts/web'
import { defaultLook, type Look } from '../../contracts/web/look'
import { parseNetworks } from '../../platform/outbound/addresses'

let server: TestServer
let editor: Registered
let visitor: TestClient
beforeAll(async () => {
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.0/8') } })
  visitor = await createClient(server.url)
  editor = await server.register()
})
afterAll(() => server.close())

/** A website of pages by their paths. */
async function startSite(pages: Record<string, string>) {
  const site = createServer((request, response) => {
    const page = pages[request.url ?? '']
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  const close = () => new Promise((resolve) => site.close(resolve))
  return { url: `http://127.0.0.1:${port}`, close }
}

const withName = (name: string): Look => ({ ...defaultLook, brand: { ...defaultLook.brand, name } })

/** A chatbot that is published. */
async function makeChatbot() {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Leads' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  await editor.call(publishFlow, { params: { ...params, fid: chatbot.fid }, body: {} })
  return { params, slug: chatbot.slug, egid: chatbot.egid }
}
const seen = (name: string) => visitor.call(chatPage, { params: { slug: name } })

it('shows visitors the look that was published last, whatever the draft is', async () => {
  const { params, slug } = await makeChatbot()
  expect(await seen(slug)).toMatchObject({ name: 'Leads', look: defaultLook })
  const saved = await editor.call(saveLook, { params, body: { look: withName('Lea'), revision: 0 } })
  expect(saved).toMatchObject({ revision: 1, published: null, draft: { brand: { name: 'Lea' } } })
  expect((await seen(slug)).name).toBe('Leads')
  await editor.call(publishLook, { params, body: { revision: 1 } })
  expect(await seen(slug)).toMatchObject({ name: 'Lea', look: { brand: { name: 'Lea' } } })
  await editor.call(saveLook, { params, body: { look: withName('Later'), revision: 1 } })
  expect((await seen(slug)).name).toBe('Lea')
})

it('lets nobody overwrite or publish what somebody else has saved meanwhile', async () => {
  const { params } = await makeChatbot()
  await editor.call(saveLook, { params, body: { look: withName('One'), revision: 0 } })
  for (const revision of [0, 2]) {
    await expect(editor.call(saveLook, { params, body: { look: withName('Two'), revision } })).rejects.toThrow('409')
    await expect(editor.call(publishLook, { params, body: { revision } })).rejects.toThrow('409')
  }
  expect(await editor.call(readLook, { params })).toMatchObject({ revision: 1, draft: { brand: { name: 'One' } } })
})

it('says which colour is none, and how one is written', async () => {
  const { params } = await makeChatbot()
  const look = { ...defaultLook, colours: { ...defaultLook.colours, light: { ...defaultLook.colours.light } } }
  look.colours.light.accent = 'reddish'
  await expect(editor.call(saveLook, { params, body: { look, revision: 0 } })).rejects.toThrow(
    'Enter a colour such as #1f6feb',
  )
})

it('hides the product’s name where the plan allows that alone, and shows it again as soon as the plan ends', async () => {
  const { params, slug } = await makeChatbot()
  const look = { ...defaultLook, parts: { ...defaultLook.parts, branding: false } }
  const plan = (plan_id: string) =>
    server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', params.pgid).execute()
  await plan('growth')
  const refused = await editor.send('POST', `/api/projects/${params.pgid}/chatbots/${params.cgid}/web/look`, {
    look,
    revision: 0,
  })
  expect(refused).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  await plan('business')
  await editor.call(saveLook, { params, body: { look, revision: 0 } })
  await editor.call(publishLook, { params, body: { revision: 1 } })
  const shown = async () => (await seen(slug)).look.parts.branding
  expect(await shown()).toBe(false)
  await plan('growth')
  expect(await shown()).toBe(true)
  // the draft can be worked on and published, and the name stays
  const renamed = { ...look, brand: { ...look.brand, name: 'Lea' } }
  await editor.call(saveLook, { params, body: { look: renamed, revision: 1 } })
  await editor.call(publishLook, { params, body: { revision: 2 } })
  expect(await seen(slug)).toMatchObject({ name: 'Lea', look: { parts: { branding: true } } })
  await plan('business')
  expect(await shown()).toBe(false)
  // or where the project bought that besides its plan
  await plan('growth')
  const buys = (addons: Record<string, number>) =>
    server.context.db
      .updateTable('projects')
      .set({ addons: JSON.stringify(addons) })
      .where('gid', '=', params.pgid)
      .execute()
  await buys({ 5: 1 })
  expect(await shown()).toBe(false)
  await buys({})
  expect(await shown()).toBe(true)
  await plan('self-hosted')
})

it('looks at a website for its colours, and at none that is private', async () => {
  const { params } = await makeChatbot()
  const look = (url: string) =>
    editor.send('POST', `/api/projects/${params.pgid}/chatbots/${params.cgid}/web/look/from-website`, { url })
  for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'ftp://example.com', 'nothing'])
    expect((await look(url)).status, url).toBe(422)
  const site = await startSite({
    '/': '<title>Shoes | Shop</title><link rel=stylesheet href=/a.css><link rel=icon href=/i.png>',
    '/a.css': 'body{background:#fffaf0;color:#222} .btn{background:#7c3aed}',
  })
  try {
    expect((await look(site.url)).body.data).toEqual({
      found: { name: 'Shop', avatar: `${site.url}/i.png`, accent: '#7c3aed', background: '#fffaf0', text: '#222222' },
    })
    expect((await look(`${site.url}/missing`)).body.data).toMatchObject({ message: 'The website answered 404.' })
  } finally {
    await site.close()
  }
})

it('saves the settings of one screen and leaves the others', async () => {
  const { params } = await makeChatbot()
  const { settings } = await editor.call(readEmbed, { params })
  expect(settings).toMatchObject({ enabled: true, whitelisted_domains: [] })
  const embed = { ...settings, whitelisted_domains: ['example.com'] }
  await editor.call(saveEmbed, { params, body: { settings: embed } })
  const survey = (await editor.call(readSurvey, { params })).settings
  await editor.call(saveSurvey, { params, body: { settings: { ...survey, enabled: true } } })
  expect((await editor.call(readEmbed, { params })).settings).toEqual(embed)
})

it('gives a copy the look and the settings of its original', async () => {
  const { params } = await makeChatbot()
  await editor.call(saveLook, { params, body: { look: withName('Lea'), revision: 0 } })
  const { chatbot } = await editor.call(duplicateChatbot, { params })
  const copy = { pgid: params.pgid, cgid: chatbot.gid }
  expect((await editor.call(readLook, { params: copy })).draft.brand.name).toBe('Lea')
})

it('names an embedded chatbot by its external id, and keeps its conversations apart from the shared page’s', async () => {
  const { params, slug, egid } = await makeChatbot()
  expect((await seen(`@${egid}`)).name).toBe('Leads')
  const started = await visitor.call(startConversation, {
    params: { slug: `@${egid}` },
    body: { client_id: 'embedded-0001' },
  })
  const { environment } = await server.context.db
    .selectFrom('conversations')
    .select('environment')
    .where('gid', '=', started.conversation.id)
    .executeTakeFirstOrThrow()
  expect(environment).toBe('production')
  const read = (name: string) =>
    visitor.send('GET', `/api/chat/${name}/conversations/${started.conversation.id}`, undefined, {
      authorization: `Bearer ${started.token}`,
    })
  expect((await read(`@${egid}`)).status).toBe(200)
  expect((await read(slug)).status).toBe(404)
  await editor.call(deleteChatbot, { params, body: { name: 'Leads' } })
  expect((await read(`@${egid}`)).status).toBe(404)
  expect((await visitor.send('GET', `/api/chat/@${egid}`)).status).toBe(404)
})
