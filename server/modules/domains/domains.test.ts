import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createSecureContext } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { settledPort, startTestDns, type TestDns } from '../../../tests/support/pebble'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { dashboard } from '../../contracts/account'
import { login } from '../../contracts/auth'
import { createChatbot, deleteChatbot } from '../../contracts/chatbots'
import {
  addDomain,
  checkDomain,
  type Domain,
  readDomain,
  removeDomain,
  uploadCertificate,
} from '../../contracts/domains'
import { publishFlow } from '../../contracts/flows'
import { parseConfig } from '../../platform/config/config'
import { parseNetworks } from '../../platform/outbound/addresses'
import { selfSigned } from './acme/requests'

// A domain's life from being added to being removed, behind a proxy and with uploaded certificates. A long file, since
// all of it uses one server with its DNS and a proxy before it.

const DAY = 86_400
const TAKEN = 'This domain is connected to another chatbot.'

let dns: TestDns
let server: TestServer
let clock: TestClock
let proxy: Awaited<ReturnType<typeof startProxy>>
let clientDir: string
let owner: Registered
beforeAll(async () => {
  dns = await startTestDns()
  clientDir = await mkdtemp(join(tmpdir(), 'parley-domains-'))
  for (const folder of ['assets', 'widget']) await mkdir(join(clientDir, folder))
  await writeFile(join(clientDir, 'index.html'), '<title>app</title>')
  await writeFile(join(clientDir, 'widget/chat.html'), '<head><title>chat</title>')
  await writeFile(join(clientDir, 'assets/main-abc123.js'), 'main()')
  await writeFile(join(clientDir, 'embed.js'), 'loader()')
  clock = createTestClock(new Date().toISOString())
  proxy = await startProxy()
  const domains = parseConfig({ DNS_SERVERS: dns.server, TLS_MODE: 'proxy' }).domains
  // the ports at which it is reached are known once it listens
  const reach = { http: 0, https: proxy.port, ca: proxy.certificate.cert }
  const http = await settledPort()
  reach.http = http
  server = await startTestServer({
    clock,
    clientDir,
    config: { outboundAllow: parseNetworks('127.0.0.0/8'), domains: { ...domains, reach } },
  })
  await proxy.leadTo(server, http)
})
afterAll(async () => {
  await server?.close()
  proxy?.close()
  await dns?.close()
  await rm(clientDir, { recursive: true })
})

/**
 * As Caddy with `ask`: whoever comes by TLS is asked about before there is a certificate. What comes plainly is passed
 * on.
 */
async function startProxy() {
  const certificate = selfSigned('chat.proxied.example', {
    from: new Date(Date.now() - 60_000),
    to: new Date(Date.now() + DAY * 1_000),
  })
  const asked: string[] = []
  let app = ''
  const pass = (incoming: IncomingMessage, answer: import('node:http').ServerResponse) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const onward = request(`${app}${incoming.url}`, { method: incoming.method, headers, agent: false }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    incoming.pipe(onward)
  }
  const secure = createTlsServer(
    {
      async SNICallback(name, done) {
        asked.push(name)
        const { status } = await fetch(`${app}/internal/tls-allowed?domain=${name}`)
        if (status === 200) done(null, createSecureContext(certificate))
        else done(new Error('not allowed'))
      },
    },
    pass,
  ).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const { createServer } = await import('node:http')
  const plain = createServer(pass)
  return {
    port: (secure.address() as AddressInfo).port,
    certificate,
    asked,
    async leadTo({ url }: TestServer, port: number) {
      app = url
      plain.listen(port, '127.0.0.1')
      await once(plain, 'listening')
    },
    close() {
      for (const each of [plain, secure]) {
        each.close()
        each.closeAllConnections()
      }
    },
  }
}

interface Place {
  params: { pgid: string; cgid: string }
  fid: string
  slug: string
  egid: string
  hostname: string
}

async function newChatbot(person: Registered): Promise<Omit<Place, 'hostname'>> {
  const { pgid } = person
  const { chatbot } = await person.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  return { params: { pgid, cgid: chatbot.gid }, fid: chatbot.fid, slug: chatbot.slug, egid: chatbot.egid }
}

/** A published chatbot with a domain that is proven to be its owner's, and leads here. */
async function withDomain(hostname: string, leads = true): Promise<Place> {
  owner = await server.register()
  const chatbot = await newChatbot(owner)
  const { params } = chatbot
  await owner.call(publishFlow, { params: { ...params, fid: chatbot.fid } })
  const { domain } = await owner.call(addDomain, { params, body: { hostname } })
  await server.context.jobs.runDue()
  await dns.setText(`_parley-challenge.${hostname}`, domain?.ownership_verification.value ?? '')
  await dns.lead(hostname, leads)
  return { ...chatbot, hostname }
}

async function checked({ params }: Place): Promise<Domain> {
  await owner.call(checkDomain, { params })
  await server.context.jobs.runDue()
  const { domain } = await owner.call(readDomain, { params })
  if (!domain) throw new Error('There is no domain')
  return domain
}

/** The same person after a session has ended. */
async function loggedIn(person: Registered): Promise<Registered> {
  const client = await server.guest()
  await client.call(login, { body: { email: person.user.email, password: person.password } })
  return { ...person, ...client }
}

/** Over a real socket, with the `Host` that a browser would send. */
async function get(host: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(server.url)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { ...headers, host }, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}
const allowed = (domain: string, headers: Record<string, string> = {}) =>
  get(new URL(server.url).host, `/internal/tls-allowed?domain=${domain}`, headers).then(({ status }) => status)

test('behind a proxy, a domain becomes active once its record is there and the proxy serves it by TLS', async () => {
  const hostname = 'chat.proxied.example'
  const place = await withDomain(hostname, false)
  expect(await allowed(hostname)).toBe(404)
  expect(await checked(place)).toMatchObject({ status: 'pending_dns', problem: { code: 'dns_missing' } })
  // from then on the proxy may order
  expect(await allowed(hostname)).toBe(200)
  await dns.lead(hostname, true)
  const domain = await checked(place)
  expect(domain).toMatchObject({
    status: 'active',
    type: 'subdomain',
    problem: null,
    ownership_verification: { name: `_parley-challenge.${hostname}`, type: 'TXT', status: 'active' },
    ssl_verification: { name: hostname, type: 'A', value: '127.0.0.1', status: 'active' },
  })
  expect(proxy.asked).toContain(hostname)
  const { id, type, status, ownership_verification, ssl_verification } = domain
  const { user } = await owner.call(dashboard, { body: { cgid: place.params.cgid } })
  expect(user.custom_domain.widget).toEqual({ id, hostname, type, status, ownership_verification, ssl_verification })
  expect(user.usage.custom_domains.used).toBe(1)
})

test('a certificate for another name is said to be missing', async () => {
  const place = await withDomain('other.proxied.example')
  expect(await checked(place)).toMatchObject({ status: 'issuing', problem: { code: 'tls_missing' } })
})

test('only this machine and trusted proxies are told what may be ordered, and only for themselves', async () => {
  const { hostname } = await withDomain('asked.proxied.example')
  await server.context.jobs.runDue()
  await withChecked(hostname)
  expect(await allowed(hostname)).toBe(200)
  expect(await allowed(hostname.toUpperCase())).toBe(200)
  expect(await allowed('nobody.proxied.example')).toBe(404)
  expect(await allowed(hostname, { 'x-forwarded-for': '203.0.113.9' })).toBe(404)
  expect(await allowed(hostname, { forwarded: 'for=203.0.113.9' })).toBe(404)
  // through the domain itself there is nothing but the chatbot
  expect((await get(hostname, `/internal/tls-allowed?domain=${hostname}`)).status).toBe(404)
})

/** Has the records of a domain looked at once more. */
async function withChecked(hostname: string): Promise<void> {
  const { db, jobs } = server.context
  await db.updateTable('jobs').set({ run_at: clock() }).where('kind', '=', 'care-for-domain').execute()
  await jobs.runDue()
  const row = db.selectFrom('custom_domains').select('owned').where('hostname', '=', hostname)
  expect(await row.executeTakeFirst()).toEqual({ owned: true })
}

describe('a domain', () => {
  let place: Place
  let other: Place
  beforeAll(async () => {
    other = await withDomain('other.shop.example')
    await checked(other)
    place = await withDomain('bot.shop.example')
    await checked(place)
  })
  const cookies = () => ({ cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

  test('serves its chatbot at its root, what that loads and calls', async () => {
    const page = await get(place.hostname, '/?from=mail')
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`content="${place.slug}"`) })
    expect(page.text).toContain('<title>chat</title>')
    expect(await get(`${place.hostname.toUpperCase()}.:443`, '/')).toMatchObject({ status: 200 })
    expect((await get(place.hostname, '/assets/main-abc123.js')).text).toBe('main()')
    expect(await get(place.hostname, `/api/chat/${place.slug}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('"name":"Bot"'),
    })
  })

  test('serves what pages of other sites load of its chatbot, and of no other', async () => {
    const from = { origin: 'https://shop.example' }
    expect((await get(place.hostname, `/embed.js?chatbot=${place.egid}`)).text).toBe('loader()')
    const config = await get(place.hostname, `/api/embed/${place.egid}`, from)
    expect(config).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': from.origin } })
    for (const name of [`@${place.egid}`, `%40${place.egid}`]) {
      const frame = await get(place.hostname, `/embed/${name}`)
      expect(frame).toMatchObject({ status: 200, text: expect.stringContaining('<title>chat</title>') })
      expect(frame.headers['x-frame-options']).toBeUndefined()
      expect((await get(place.hostname, `/api/chat/${name}`)).status).toBe(200)
    }
    for (const path of [`/api/embed/${other.egid}`, `/embed/@${other.egid}`, `/api/chat/@${other.egid}`, '/embed/@'])
      expect((await get(place.hostname, path)).status, path).toBe(404)
    expect((await get(place.hostname, '/embed.js', {}, 'POST')).status).toBe(404)
  })

  test('serves nothing of the application, of other chatbots, and of other projects', async () => {
    const gid = 'a'.repeat(16)
    const insertFile = async (pgid: string, name: string) => {
      const { id } = await server.context.db
        .selectFrom('projects')
        .select('id')
        .where('gid', '=', pgid)
        .executeTakeFirstOrThrow()
      const file = { sha256: '1'.repeat(64), media_type: 'image/png', bytes: 1, name: 'x.png', created_at: clock() }
      await server.context.db
        .insertInto('files')
        .values({ gid: name, project_id: id, ...file })
        .execute()
    }
    await insertFile(other.params.pgid, 'b'.repeat(16))
    const paths = [
      '/login',
      '/projects',
      '/c/bot',
      `/c/${place.slug}`,
      '/index.html',
      '/widget/chat.html',
      '/api/user',
      '/api/csrf-cookie',
      '/api/installation',
      '/api/chat',
      `/api/chat/${other.slug}`,
      `/api/chat/${place.slug}2`,
      `/files/${gid}`,
      `/files/${'b'.repeat(16)}`,
      `/files/sent/${gid}`,
      '/mcp',
      '/collab/x',
      '/metrics',
      '//login',
      '/%zz',
    ]
    for (const path of paths) {
      const answer = await get(place.hostname, path, cookies())
      expect(answer.status, path).toBe(404)
      expect(answer.text, path).not.toContain('<title>app')
      expect(answer.headers['set-cookie'], path).toBeUndefined()
    }
    // a foreign file is not even looked for
    for (const file of [`/files/${'b'.repeat(16)}`, `/files/sent/${gid}`])
      expect((await get(place.hostname, file)).headers['content-type'], file).toContain('text/plain')
    expect((await get(place.hostname, '/', {}, 'POST')).status).toBe(404)
    // the same at its own host is there
    expect((await get(new URL(server.url).host, '/login')).text).toContain('<title>app')
    // a file of its own project is looked for among the bytes
    await insertFile(place.params.pgid, 'c'.repeat(16))
    const own = await get(place.hostname, `/files/${'c'.repeat(16)}`)
    expect(own.headers['content-type']).toContain('application/json')
  })

  test('reads no session and sets no cookie', async () => {
    for (const path of ['/', `/api/chat/${place.slug}`])
      expect((await get(place.hostname, path, cookies())).headers['set-cookie'], path).toBeUndefined()
    expect((await get(place.hostname, '/api/user', cookies())).status).toBe(404)
  })

  test('answers probes, which name any host', async () => {
    expect((await get(place.hostname, '/healthz')).status).toBe(200)
  })

  test('serves nothing while the plan lacks it', async () => {
    const plan = (plan_id: string) =>
      server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', place.params.pgid).execute()
    await plan('free')
    clock.pass(10)
    expect((await get(place.hostname, '/')).status).toBe(404)
    expect(await allowed(place.hostname)).toBe(404)
    await plan('self-hosted')
    clock.pass(10)
    expect((await get(place.hostname, '/')).status).toBe(200)
  })

  test('that is removed serves nothing from that moment on', async () => {
    await owner.call(removeDomain, { params: place.params })
    expect(await allowed(place.hostname)).toBe(404)
    expect((await get(place.hostname, `/api/chat/${place.slug}/x`)).text).not.toContain('"name":"Bot"')
    expect((await get(place.hostname, '/')).text).not.toContain('<title>chat')
    const { user } = await owner.call(dashboard, { body: { cgid: place.params.cgid } })
    expect(user).toMatchObject({ custom_domain: { widget: null }, usage: { custom_domains: { used: 0 } } })
  })
})

test('a claim that nobody proved takes no host from anybody: neither from the application nor, for long, from its owner', async () => {
  const [squatter, person] = [await server.register(), await server.register()]
  const [first, second] = [await newChatbot(squatter), await newChatbot(person)]
  const body = { hostname: 'wanted.shop.example' }
  await squatter.call(addDomain, { params: first.params, body })
  expect((await get(body.hostname, '/login')).text).toContain('<title>app')
  const path = `/api/projects/${person.pgid}/chatbots/${second.params.cgid}/domain`
  const taken = await person.send('POST', path, body)
  expect(taken).toMatchObject({ status: 422, body: { data: { fields: { hostname: TAKEN } } } })
  clock.pass(3 * DAY + 1)
  const late = await server.register()
  const third = await newChatbot(late)
  const { domain } = await late.call(addDomain, { params: third.params, body })
  expect(domain).toMatchObject({ hostname: body.hostname, status: 'pending_ownership' })
  expect(
    await server.context.db
      .selectFrom('custom_domains')
      .select('project_id')
      .where('hostname', '=', body.hostname)
      .execute(),
  ).toHaveLength(1)
})

test('a project has as many as its plan, a chatbot one, and what is no domain is refused', async () => {
  const person = await server.register()
  const [one, two] = [await newChatbot(person), await newChatbot(person)]
  const add = (place: Omit<Place, 'hostname'>, hostname: string) =>
    person.send('POST', `/api/projects/${person.pgid}/chatbots/${place.params.cgid}/domain`, { hostname })
  for (const wrong of ['127.0.0.1', 'co.uk', 'localhost', 'a--b.example'])
    expect(await add(one, wrong)).toMatchObject({
      status: 422,
      body: { data: { fields: { hostname: 'Enter a valid domain (such as chat.example.com)' } } },
    })
  await server.context.db.updateTable('projects').set({ plan_id: 'growth' }).where('gid', '=', person.pgid).execute()
  expect((await add(one, 'one.shop.example')).status).toBe(200)
  expect(await add(one, 'again.shop.example')).toMatchObject({ status: 409 })
  expect(await add(two, 'two.shop.example')).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  expect(await person.call(readDomain, { params: two.params })).toMatchObject({
    domain: null,
    in_plan: true,
    limit_reached: true,
  })
  await person.call(removeDomain, { params: one.params })
  expect((await add(two, 'two.shop.example')).status).toBe(200)
})

test('a chatbot that is deleted takes its domain along', async () => {
  const place = await withDomain('gone.shop.example')
  await checked(place)
  expect(await allowed(place.hostname)).toBe(200)
  await owner.call(deleteChatbot, { params: place.params, body: { name: 'Bot' } })
  clock.pass(10)
  expect(await allowed(place.hostname)).toBe(404)
  const rows = server.context.db.selectFrom('custom_domains').select('id').where('hostname', '=', place.hostname)
  expect(await rows.execute()).toEqual([])
})

test('records are waited for ever longer, and given up after two weeks; asking anew begins anew', async () => {
  const place = await withDomain('late.shop.example')
  await dns.setText(`_parley-challenge.${place.hostname}`, null)
  expect((await checked(place)).status).toBe('pending_ownership')
  const { db, jobs } = server.context
  const wait = async () => {
    const { run_at } = await db
      .selectFrom('jobs')
      .innerJoin('custom_domains', 'custom_domains.gid', 'jobs.key')
      .select('run_at')
      .where('hostname', '=', place.hostname)
      .executeTakeFirstOrThrow()
    const seconds = (run_at.getTime() - clock().getTime()) / 1_000
    clock.pass(seconds)
    await jobs.runDue()
    return seconds
  }
  const waits: number[] = []
  for (let n = 0; n < 10; n++) waits.push(await wait())
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  clock.pass(14 * DAY)
  await jobs.runDue()
  const row = db.selectFrom('custom_domains').select(['status', 'problem']).where('hostname', '=', place.hostname)
  expect(await row.executeTakeFirst()).toEqual({ status: 'failed', problem: 'gave_up' })
  const jobOf = db
    .selectFrom('jobs')
    .innerJoin('custom_domains', 'custom_domains.gid', 'jobs.key')
    .select('jobs.id')
    .where('hostname', '=', place.hostname)
  expect(await jobOf.execute()).toEqual([])
  owner = await loggedIn(owner)
  expect(await checked(place)).toMatchObject({ status: 'pending_ownership', problem: { code: 'txt_missing' } })
})

describe('with certificates that people upload', () => {
  let manual: TestServer
  let person: Registered
  let params: { pgid: string; cgid: string }
  const hostname = 'manual.shop.example'
  const at = (days: number) => new Date(clock().getTime() + days * DAY * 1_000)
  beforeAll(async () => {
    manual = await startTestServer({
      clock,
      config: {
        outboundAllow: parseNetworks('127.0.0.0/8'),
        domains: {
          ...parseConfig({ DNS_SERVERS: dns.server, TLS_MODE: 'manual', HTTP_PORT: '0', HTTPS_PORT: '0' }).domains,
        },
      },
    })
    person = await manual.register()
    params = (await newChatbot(person)).params
    await person.call(addDomain, { params, body: { hostname } })
  })
  afterAll(() => manual?.close())
  const upload = (certificate: string, key: string) =>
    person.send('POST', `/api/projects/${params.pgid}/chatbots/${params.cgid}/domain/certificate`, { certificate, key })

  test('one that can’t be used is refused beside its field', async () => {
    const good = selfSigned(hostname, { from: at(-1), to: at(1) })
    const fields = async (cert: string, key: string) => {
      const { status, body } = await upload(cert, key)
      expect(status).toBe(422)
      return (body.data as { fields: Record<string, string> }).fields
    }
    expect(await fields('nothing', good.key)).toEqual({ certificate: expect.stringContaining('PEM') })
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    expect(await fields(broken, good.key)).toEqual({ certificate: expect.stringContaining('PEM') })
    expect(await fields(good.cert.repeat(11), good.key)).toEqual({ certificate: expect.stringContaining('PEM') })
    const other = selfSigned('other.example', { from: at(-1), to: at(1) })
    expect(await fields(other.cert, other.key)).toEqual({ certificate: `This certificate is not for ${hostname}` })
    const old = selfSigned(hostname, { from: at(-2), to: at(-1) })
    expect(await fields(old.cert, old.key)).toEqual({ certificate: 'This certificate has expired' })
    const early = selfSigned(hostname, { from: at(1), to: at(2) })
    expect(await fields(early.cert, early.key)).toEqual({ certificate: 'This certificate is not valid yet' })
    expect(await fields(good.cert, other.key)).toEqual({ key: 'This key does not belong to the certificate' })
    expect(await fields(good.cert, 'nothing')).toEqual({ key: expect.stringContaining('PEM') })
  })

  test('a good one is sealed and shown to nobody', async () => {
    const { cert, key } = selfSigned(hostname, { from: at(-1), to: at(30) })
    const answer = await upload(cert, key)
    expect(answer).toMatchObject({ status: 200, body: { data: { domain: { certified: true } } } })
    expect(answer.text).not.toContain('BEGIN')
    const row = await manual.context.db.selectFrom('custom_domains').selectAll().executeTakeFirstOrThrow()
    expect(row.sealed_key).toMatch(/^v1\./)
    expect(row.expires_at).toEqual(new Date(Math.floor(at(30).getTime() / 1_000) * 1_000))
  })

  test('where Parley gets its certificates by itself none is taken', async () => {
    const place = await withDomain('auto.shop.example')
    const { cert, key } = selfSigned(place.hostname, { from: at(-1), to: at(1) })
    const failed = owner.call(uploadCertificate, { params: place.params, body: { certificate: cert, key } })
    await expect(failed).rejects.toThrow('409')
  })
})
