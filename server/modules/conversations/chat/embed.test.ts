import { createHash, createHmac } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { textLanguages } from '../../../../src/widget/texts'
import { createTestClock } from '../../../../tests/support/clock'
import { startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { dashboard } from '../../../contracts/account'
import { createChatbot } from '../../../contracts/chatbots'
import { listContacts, readContact, updateContact } from '../../../contracts/contacts'
import { checkSite, type EmbedConfig, makeIdentitySecret, readIdentitySecret } from '../../../contracts/embed'
import type { GivenPage } from '../../../contracts/firstView'
import { publishFlow } from '../../../contracts/flows'
import { publishLook, readEmbed, saveEmbed, saveLook } from '../../../contracts/web'
import { defaultLook } from '../../../contracts/web/look'
import type { EmbedSettings } from '../../../contracts/web/settings'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { findContact } from '../../contacts/tableStore'
import { NOT_HERE } from './embed'
import { launcherWords } from './launcherWords'

let folder: string
let server: TestServer
let editor: Registered
const clock = createTestClock()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-embed-'))
  const client = join(folder, 'client')
  await Promise.all([mkdir(join(client, 'widget'), { recursive: true }), mkdir(join(folder, 'firstView'))])
  await Promise.all([
    writeFile(join(client, 'index.html'), 'The interface'),
    writeFile(join(client, 'widget/chat.html'), CHAT_PAGE),
    writeFile(join(client, 'embed.js'), 'theLoader()'),
    writeFile(join(folder, 'firstView/firstView.js'), FIRST_VIEW),
  ])
  server = await startTestServer({
    clientDir: client,
    clock,
    config: { outboundAllow: parseNetworks('127.0.0.1') },
  })
  editor = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const CHAT_PAGE = '<html lang="en"><head></head><body><div id="chat"></div></body></html>'
/** In the place of src/widget/firstView.tsx, which has tests of its own. */
const FIRST_VIEW = `export const speak = async (page, language) => ({ language, dir: 'ltr', texts: {} })
export const draw = ({ conversation, close }) => ({ html: '<main>' + conversation.messages.length + close + '</main>', darkStyle: '' })`

async function makeChatbot(settings: Partial<EmbedSettings> = {}) {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Lamps' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  await editor.call(publishFlow, { params: { ...params, fid: chatbot.fid }, body: {} })
  const save = async (changed: Partial<EmbedSettings>) => {
    const { settings: present } = await editor.call(readEmbed, { params })
    await editor.call(saveEmbed, { params, body: { settings: { ...present, ...changed } } })
  }
  if (Object.keys(settings).length > 0) await save(settings)
  return { egid: chatbot.egid, fid: chatbot.fid, params, save }
}

const from = (egid: string, headers: Record<string, string>) =>
  server.app.inject({ method: 'GET', url: `/api/embed/${egid}?url=https%3A%2F%2Fshop.example%2F`, headers })
const token = async (egid: string, origin: string) =>
  (await from(egid, { origin })).json<{ data: EmbedConfig }>().data.token
let starts = 0
const start = (egid: string, body: Record<string, unknown> = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/api/chat/@${egid}/conversations`,
    payload: { client_id: `start-${String(++starts).padStart(4, '0')}`, ...body },
  })

describe('what a page asks', () => {
  it('is answered to the allowed domains alone, which browsers go by', async () => {
    const { egid } = await makeChatbot({ whitelisted_domains: ['shop.example', '*.lamps.example'] })
    for (const origin of ['https://shop.example', 'https://www.lamps.example']) {
      const answer = await from(egid, { origin })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        vary: expect.stringContaining('origin'),
      })
    }
    for (const origin of ['https://evil.example', 'https://lamps.example', 'null']) {
      const answer = await from(egid, { origin })
      expect(answer.statusCode).toBe(403)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.json()).toMatchObject({ success: false, code: 'forbidden', data: NOT_HERE })
    }
  })

  it('is answered to all while no domain is named, and to pages of this server itself', async () => {
    const anywhere = await makeChatbot()
    expect((await from(anywhere.egid, { origin: 'null' })).headers['access-control-allow-origin']).toBe('null')
    const restricted = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    expect((await from(restricted.egid, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
    expect((await from(restricted.egid, {})).statusCode).toBe(403)
  })

  it('is told to every page where there is no such chatbot, none published, or none to be embedded', async () => {
    const off = await makeChatbot({ enabled: false })
    const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Draft' } })
    for (const egid of ['nothing', off.egid, chatbot.egid]) {
      const answer = await from(egid, { origin: 'https://shop.example' })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })

  it('has the launcher’s words in the visitor’s language', async () => {
    const { egid } = await makeChatbot()
    const words = async (language: string) =>
      (await from(egid, { origin: 'https://shop.example', 'accept-language': language })).json().data.words
    expect(await words('xx, ar-EG;q=0.9, en;q=0.8')).toMatchObject({ close: 'إغلاق', dir: 'rtl' })
    expect(await words('de-AT')).toMatchObject({ open: 'Chat öffnen', dir: 'ltr' })
    expect(await words('')).toMatchObject({ open: 'Open the chat' })
  })

  it('ticks the checklist’s last step the first time a page of another site asks', async () => {
    const other = await server.register()
    const { chatbot } = await other.call(createChatbot, { params: { pgid: other.pgid }, body: { name: 'Lamps' } })
    const params = { pgid: other.pgid, cgid: chatbot.gid }
    await other.call(publishFlow, { params: { ...params, fid: chatbot.fid }, body: {} })
    const done = async () =>
      (await other.call(dashboard, { body: { pgid: other.pgid, cgid: chatbot.gid } })).user.onboarding_checklist?.agent
        .web_deploy.completed
    await from(chatbot.egid, { 'sec-fetch-site': 'same-origin' })
    expect(await done()).toBe(false)
    await from(chatbot.egid, { origin: 'https://shop.example' })
    expect(await done()).toBe(true)
  })
})

describe('a conversation in a frame', () => {
  it('begins with the token of a page that may hold it alone', async () => {
    const { egid, save } = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    const other = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    const good = await token(egid, 'https://shop.example')
    expect((await start(egid, { frame: good })).statusCode).toBe(200)
    const changed = `${good.slice(0, -2)}${good.endsWith('AA') ? 'BB' : 'AA'}`
    const forged = [
      undefined,
      '',
      'v1',
      changed,
      good.replace('v1.', 'v2.'),
      await token(other.egid, 'https://shop.example'),
    ]
    for (const frame of forged) {
      const answer = await start(egid, { ...(frame !== undefined && { frame }) })
      expect(answer.statusCode).toBe(403)
      expect(answer.json().data).toBe(NOT_HERE)
    }
    await save({ whitelisted_domains: ['elsewhere.example'] })
    expect((await start(egid, { frame: good })).statusCode).toBe(403)
  })

  it('begins with a token for an hour, by the server’s clock', async () => {
    const { egid } = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    const frame = await token(egid, 'https://shop.example')
    clock.pass(59 * 60)
    expect((await start(egid, { frame })).statusCode).toBe(200)
    clock.pass(60)
    expect((await start(egid, { frame })).statusCode).toBe(403)
  })

  it('needs none where no domain is named', async () => {
    const { egid } = await makeChatbot()
    expect((await start(egid)).statusCode).toBe(200)
  })
})

describe('a frame whose page comes with a conversation', () => {
  const open = (egid: string, query: Record<string, string>, remoteAddress = '127.0.0.1') =>
    server.app.inject({ url: `/embed/@${egid}`, query, headers: { 'accept-language': 'de' }, remoteAddress })
  const givenIn = (body: string) => JSON.parse(/id="given">([^<]*)</.exec(body)?.[1] ?? 'null') as GivenPage | null
  const ofChatbot = async (egid: string) =>
    server.context.db
      .selectFrom('conversations')
      .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
      .select('conversations.gid')
      .where('chatbots.egid', '=', egid)
      .execute()

  it('has it begun, drawn, and nowhere stored, for the token of a page that may hold the chat', async () => {
    const { egid } = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    const begin = await token(egid, 'https://shop.example')
    const { body, headers } = await open(egid, { begin, url: 'https://shop.example/lamps', close: 'Weg' })
    const begun = givenIn(body)?.begun
    expect(await ofChatbot(egid)).toEqual([{ gid: begun?.conversation.id }])
    expect(body).toContain(`<div id="chat" inert><main>${begun?.conversation.messages.length}Weg</main></div>`)
    expect(headers['cache-control']).toBe('no-store')
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(body) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}'`)
    const path = `/api/chat/@${egid}/conversations/${begun?.conversation.id}`
    const read = await server.app.inject({ url: path, headers: { authorization: `Bearer ${begun?.token}` } })
    expect(read.statusCode).toBe(200)
  })

  it('has none without that token: missing, forged, of another chatbot, over, of a site that may no longer', async () => {
    const { egid, save } = await makeChatbot({ whitelisted_domains: ['shop.example'] })
    const open_to_all = await makeChatbot()
    const [good, others] = [await token(egid, 'https://shop.example'), await token(open_to_all.egid, 'null')]
    const asked: [string, Record<string, string>][] = [
      [egid, {}],
      [egid, { begin: '' }],
      [egid, { begin: `${good.slice(0, -2)}AA` }],
      [egid, { begin: others }],
      // where anybody may hold it, a page that was never asked for begins nothing either
      [open_to_all.egid, { begin: good }],
    ]
    for (const [chatbot, query] of asked) {
      const { body, headers, statusCode } = await open(chatbot, query)
      expect(statusCode).toBe(200)
      expect(givenIn(body)).toMatchObject({ begun: null, spoken: { language: 'de' } })
      expect(headers['content-security-policy']).toContain("script-src 'self';")
    }
    await save({ whitelisted_domains: ['elsewhere.example'] })
    expect(givenIn((await open(egid, { begin: good })).body)?.begun).toBeNull()
    await save({ whitelisted_domains: ['shop.example'] })
    clock.pass(60 * 60)
    expect(givenIn((await open(egid, { begin: good })).body)?.begun).toBeNull()
    expect([await ofChatbot(egid), await ofChatbot(open_to_all.egid)]).toEqual([[], []])
  })

  it('counts as any conversation that begins, and asks for itself once no more may', async () => {
    const { egid } = await makeChatbot()
    const begin = await token(egid, 'https://shop.example')
    const most = server.context.config.chatStartsPerMinute
    const begins: boolean[] = []
    for (let n = 0; n <= most; n++) {
      const { body } = await open(egid, { begin }, '203.0.113.7')
      begins.push(givenIn(body)?.begun !== null)
    }
    expect(begins.filter(Boolean)).toHaveLength(most)
    expect(begins.at(-1)).toBe(false)
    const refused = await server.app.inject({
      method: 'POST',
      url: `/api/chat/@${egid}/conversations`,
      payload: { client_id: 'one-too-many' },
      remoteAddress: '203.0.113.7',
    })
    expect(refused.statusCode).toBe(429)
  })

  it('lets nothing that a chatbot says end the script that holds it', async () => {
    const { egid, params } = await makeChatbot()
    const look = { ...defaultLook, brand: { ...defaultLook.brand, name: '</script><script>alert(1)</script>' } }
    await editor.call(saveLook, { params, body: { look, revision: 0 } })
    await editor.call(publishLook, { params, body: { revision: 1 } })
    const { body } = await open(egid, {})
    expect(givenIn(body)?.page.name).toBe(look.brand.name)
    expect(body).not.toContain('alert(1)</script>')
  })
})

describe('the frame', () => {
  it('is shown by browsers within the pages of the allowed domains alone', async () => {
    const { egid } = await makeChatbot({ whitelisted_domains: ['shop.example', '*.lamps.example:8080'] })
    const answer = await server.app.inject({ url: `/embed/@${egid}` })
    expect(answer.body).toContain('<div id="chat"></div>')
    expect(answer.headers['x-frame-options']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toContain(
      "frame-ancestors 'self' http://shop.example:* https://shop.example:* http://*.lamps.example:8080 https://*.lamps.example:8080",
    )
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
  })

  it('is shown anywhere where no domain is named, and says there that there is no such chatbot', async () => {
    const { egid } = await makeChatbot()
    const answer = await server.app.inject({ url: `/embed/@${egid}` })
    expect(answer.headers['content-security-policy']).toContain('frame-ancestors *')
    expect((await server.app.inject({ url: '/embed/@nothing' })).statusCode).toBe(404)
    const slug = await server.app.inject({ url: '/embed/lamps' })
    expect(slug.statusCode).toBe(404)
  })

  it('leaves every other page to this server’s own', async () => {
    const answer = await server.app.inject({ url: '/' })
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  })
})

test('the line’s script may be loaded by any page, is kept for an hour and comes packed', async () => {
  const { headers, body } = await server.app.inject({ url: '/embed.js?chatbot=x' })
  expect(body).toBe('theLoader()')
  expect(headers).toMatchObject({
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  })
  const packed = await server.app.inject({ url: '/embed.js', headers: { 'accept-encoding': 'br, gzip' } })
  expect(packed.headers['content-encoding']).toBe('gzip')
})

describe('a visitor whom the site knows', () => {
  const sign = (secret: string, id: string) => createHmac('sha256', secret).update(id).digest('hex')

  it('is taken by the chatbot’s signature alone', async () => {
    const { egid, params } = await makeChatbot()
    expect(await editor.call(readIdentitySecret, { params })).toEqual({ made_at: null })
    const user = { id: 'u-17', hash: sign('', 'u-17') }
    expect((await start(egid, { user })).statusCode).toBe(403)
    const { secret } = await editor.call(makeIdentitySecret, { params, body: {} })
    for (const wrong of [user, { id: 'u-18', hash: sign(secret, 'u-17') }, { id: 'u-17', hash: '0'.repeat(64) }])
      expect((await start(egid, { user: wrong })).statusCode).toBe(403)
    const known = { id: 'u-17', hash: sign(secret, 'u-17') }
    const started = (await start(egid, { user: known })).json()
    expect(await variablesOf(started.data.conversation.id)).toMatchObject({ sys_user_id: 'u-17' })
    const renewed = await editor.call(makeIdentitySecret, { params, body: {} })
    expect((await start(egid, { user: known })).statusCode).toBe(403)
    expect((await start(egid, { user: { id: 'u-17', hash: sign(renewed.secret, 'u-17') } })).statusCode).toBe(200)
  })

  it('is one contact on all devices, whom nobody else is by claiming the address, and who can be blocked', async () => {
    const { egid, params } = await makeChatbot()
    const { secret } = await editor.call(makeIdentitySecret, { params, body: {} })
    const ada = { id: 'u-ada', hash: sign(secret, 'u-ada') }
    const first = (await start(egid, { user: ada })).json()
    expect((await start(egid, { user: ada })).statusCode).toBe(200)
    const of = { pgid: params.pgid }
    const { contacts } = await editor.call(listContacts, { params: of, query: { search: 'u-ada' } })
    expect(contacts).toMatchObject([{ verified_id: 'u-ada', fields: { user_id: 'u-ada' } }])
    const one = { ...of, gid: contacts[0]?.gid ?? '' }
    await editor.call(updateContact, { params: one, body: { fields: { email: 'ada@shop.example' } } })
    expect((await editor.call(readContact, { params: one })).timeline).toHaveLength(2)

    const { db } = server.context
    const { id, project_id } = await db
      .selectFrom('contacts')
      .select(['id', 'project_id'])
      .where('gid', '=', one.gid)
      .executeTakeFirstOrThrow()
    const key = { field: 'email', value: 'ADA@shop.example' } as const
    expect(await findContact(db, project_id, key, { except: [], own: null })).toBeUndefined()
    expect(await findContact(db, project_id, key, { except: [], own: id })).toMatchObject({ id: one.gid })

    await editor.call(updateContact, { params: one, body: { blocked: true } })
    expect((await start(egid, { user: ada })).statusCode).toBe(403)
    const { gid, token } = { gid: first.data.conversation.id as string, token: first.data.token as string }
    const write = await server.app.inject({
      method: 'POST',
      url: `/api/chat/@${egid}/conversations/${gid}/messages`,
      headers: { authorization: `Bearer ${token}` },
      payload: { client_id: 'blocked-0001', reply: { type: 'text', text: 'Let me in' } },
    })
    expect([write.statusCode, write.json<{ code: string }>().code]).toEqual([403, 'visitor_blocked'])
    await editor.call(updateContact, { params: one, body: { blocked: false } })
    expect((await start(egid, { user: ada })).statusCode).toBe(200)
  })

  it('has a secret that the database does not tell', async () => {
    const { params } = await makeChatbot()
    const { secret } = await editor.call(makeIdentitySecret, { params, body: {} })
    const rows = await server.context.db.selectFrom('identity_secrets').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(await editor.call(readIdentitySecret, { params }))).not.toContain(secret)
  })
})

const variablesOf = async (gid: string) => {
  const { session } = await server.context.db
    .selectFrom('conversations')
    .innerJoin('runs', (join) =>
      join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
    )
    .select('runs.session')
    .where('conversations.gid', '=', gid)
    .executeTakeFirstOrThrow()
  return session.variables
}

test('an open chat hears what is published of its chatbot, and of no other', async () => {
  const [one, other] = [await makeChatbot(), await makeChatbot()]
  const listen = async ({ egid }: { egid: string }) => {
    const { token, conversation } = (await start(egid)).json().data
    const gone = new AbortController()
    const path = `/api/chat/@${egid}/conversations/${conversation.id}/events?token=${token}`
    const { body } = await fetch(server.url + path, { signal: gone.signal })
    let text = ''
    const reading = (async () => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    })().catch(() => {})
    await expect.poll(() => text).toContain('event: update')
    return {
      heard: () => text,
      leave: () => {
        gone.abort()
        return reading
      },
    }
  }
  const [here, there] = [await listen(one), await listen(other)]
  await editor.call(saveLook, { params: one.params, body: { look: defaultLook, revision: 0 } })
  const published = (what: string) => `event: published\ndata: {"what":"${what}"}`
  expect(here.heard()).not.toContain(published('web'))
  await editor.call(publishLook, { params: one.params, body: { revision: 1 } })
  await expect.poll(here.heard).toContain(published('web'))
  await other.save({ consent: true })
  await expect.poll(there.heard).toContain(published('web'))
  expect(here.heard().split(published('web'))).toHaveLength(2)
  const flows = () => there.heard().split(published('flow')).length
  const before = flows()
  await editor.call(publishFlow, { params: { ...other.params, fid: other.fid }, body: {} })
  await expect.poll(flows).toBeGreaterThan(before)
  await Promise.all([here.leave(), there.leave()])
})

test('every language of the chat has words for the launcher', () => {
  const english = launcherWords([])
  const same = textLanguages.filter((code) => code !== 'en' && launcherWords([code]).open === english.open)
  expect(same).toEqual([])
})

test('the launcher is called by an editor’s own words in their language', () => {
  const own = { 'zh-cn': { openChat: '你好' }, de: { close: 'Weg' } }
  expect(launcherWords(['zh-Hans-SG', 'de'], own)).toMatchObject({ open: '你好', close: '关闭' })
  expect(launcherWords(['de-AT'], own)).toMatchObject({ open: launcherWords(['de']).open, close: 'Weg' })
  expect(launcherWords(['fr'], own)).toEqual(launcherWords(['fr']))
})

describe('a look at somebody’s page', () => {
  it('says whether the line is there, and what keeps it from working', async () => {
    const { egid, params, save } = await makeChatbot()
    const pages: Record<string, { body: string; policy?: string; status?: number }> = {}
    const site = await startOutsideServer(({ path }, response) => {
      const page = pages[path] ?? { body: '', status: 404 }
      response.writeHead(page.status ?? 200, {
        'content-type': 'text/html',
        ...(page.policy && { 'content-security-policy': page.policy }),
      })
      response.end(page.body)
    })

    const look = async (path: string) => {
      const { found, problems } = await editor.call(checkSite, { params, body: { url: `${site.url}${path}` } })
      return { found, problems: problems.map(({ problem }) => problem) }
    }
    const line = `<script async src="${server.context.config.publicUrl}/embed.js?chatbot=${egid}&amp;kind=popup"></script>`
    pages['/'] = { body: `<html>${line}</html>` }
    pages['/none'] = { body: '<html>Nothing here</html>' }
    pages['/other'] = { body: line.replace(egid, 'abcdabcdabcdabcd') }
    pages['/elsewhere'] = { body: line.replace(server.context.config.publicUrl, 'https://parley.example') }
    pages['/strict'] = { body: line, policy: "default-src 'self'; script-src 'nonce-abc'" }
    pages['/endless'] = { body: `${'http://x/embed.js?'.repeat(50_000)}` }
    expect(await look('/')).toEqual({ found: true, problems: [] })
    expect(await look('/none')).toEqual({ found: false, problems: ['no_line'] })
    expect(await look('/other')).toEqual({ found: false, problems: ['other_chatbot'] })
    expect(await look('/elsewhere')).toEqual({ found: true, problems: ['other_server'] })
    expect(await look('/strict')).toEqual({ found: true, problems: ['policy'] })
    expect(await look('/endless')).toEqual({ found: false, problems: ['no_line'] })
    expect(await look('/gone')).toEqual({ found: false, problems: ['no_page'] })
    await save({ whitelisted_domains: ['shop.example'] })
    expect(await look('/')).toEqual({ found: true, problems: ['domain'] })
    site.close()
    expect(await look('/')).toEqual({ found: false, problems: ['unreachable'] })
    await expect(editor.call(checkSite, { params, body: { url: 'http://169.254.169.254/' } })).rejects.toThrow('422')
  })
})
