import { once } from 'node:events'
import { createServer, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { rootCertificates, type TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { type Pebble, settledPort, startPebble, startTestDns, type TestDns } from '../../../tests/support/pebble'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createChatbot } from '../../contracts/chatbots'
import { addDomain, checkDomain, type Domain, readDomain, removeDomain } from '../../contracts/domains'
import { type Config, parseConfig } from '../../platform/config/config'
import { parseNetworks } from '../../platform/outbound/addresses'
import { AcmeClient } from './acme/acmeClient'
import { newKeyPair } from './acme/requests'
import { domains } from './module'
import { presentDomain } from './presenter'

const DAY = 86_400

let dns: TestDns
let pebble: Pebble
let authority: Awaited<ReturnType<typeof startAuthority>>
let server: TestServer
let clock: TestClock
let owner: Registered
let config: Partial<Config>
let http: number
let https: number
beforeAll(async () => {
  dns = await startTestDns()
  ;[http, https] = [await settledPort(), await settledPort()]
  pebble = await startPebble({ dns, httpPort: http, tlsPort: https })
  authority = await startAuthority()
  // certificates are dated by the authority's clock
  clock = createTestClock(new Date().toISOString())
  const settings = { TLS_MODE: 'builtin', DNS_SERVERS: dns.server, ACME_DIRECTORY: authority.directory }
  config = {
    publicUrl: 'https://parley.example.com',
    outboundAllow: parseNetworks('127.0.0.0/8'),
    domains: {
      ...parseConfig(settings).domains,
      httpPort: http,
      httpsPort: https,
      reach: { http, https, ca: pebble.ca },
    },
  }
  server = await startTestServer({ clock, config })
  await server.app.modules.provided(domains).listeners?.open(server.app)
  owner = await server.register()
})
afterAll(async () => {
  await server?.close()
  authority?.close()
  await pebble?.close()
  await dns?.close()
})
afterEach(async () => {
  await sql`drop trigger if exists spoil on acme_challenges`.execute(server.context.db)
  authority.suggest(null)
})

/** The authority's directory with a place that says when to renew, which Pebble has none of. */
async function startAuthority() {
  let window: { start: string; end: string } | null = null
  const asked: string[] = []
  const server = createServer(async (incoming, answer) => {
    answer.setHeader('content-type', 'application/json')
    if (incoming.url === '/directory') {
      const client = new AcmeClient({
        directory: pebble.directory,
        key: newKeyPair().privateKey,
        clock,
        signal,
        ca: pebble.ca,
      })
      const { body } = await client.get(pebble.directory)
      client.close()
      return answer.end(JSON.stringify({ ...(body as object), ...(window && { renewalInfo: `${url}/renewal-info` }) }))
    }
    asked.push(incoming.url ?? '')
    answer.setHeader('retry-after', '7200')
    answer.end(JSON.stringify({ suggestedWindow: window }))
  }).listen(0, '127.0.0.1')
  const { signal } = new AbortController()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    directory: `${url}/directory`,
    asked,
    /** null: it says nothing */
    suggest(next: typeof window) {
      window = next
    },
    close: () => server.close(),
  }
}

interface Place {
  params: { pgid: string; cgid: string }
  slug: string
  hostname: string
}

/** A chatbot with a domain whose records are there. */
async function withDomain(hostname: string): Promise<Place> {
  // some tests move the clock on by years, which no session outlives
  owner = await server.register()
  const { pgid } = owner
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  const params = { pgid, cgid: chatbot.gid }
  const { domain } = await owner.call(addDomain, { params, body: { hostname } })
  // it is looked at once, before there is a record
  await server.context.jobs.runDue()
  await dns.setText(`_parley-challenge.${hostname}`, domain?.ownership_verification.value ?? '')
  await dns.lead(hostname, true)
  return { params, hostname, slug: chatbot.slug }
}

async function look({ hostname }: Place): Promise<Domain> {
  const { jobs, db } = server.context
  await jobs.runDue()
  const rows = db.selectFrom('custom_domains').selectAll().where('hostname', '=', hostname)
  return presentDomain(await rows.executeTakeFirstOrThrow(), server.context.config, clock())
}

const checked = async (place: Place): Promise<Domain> => {
  await owner.call(checkDomain, { params: place.params })
  return look(place)
}

/** As a browser that trusts the authority and nobody else. */
async function visit(hostname: string, path = '/', headers: Record<string, string> = {}) {
  const ca = [...rootCertificates, pebble.ca]
  const place = { host: '127.0.0.1', port: https, servername: hostname, path, ca, agent: false } as const
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request({ ...place, headers: { host: hostname, ...headers } }, resolve)
      .on('error', reject)
      .end()
  })
  const { serialNumber, subjectaltname } = (answer.socket as TLSSocket).getPeerCertificate()
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer), serialNumber, subjectaltname }
}

async function visitPlainly(hostname: string, path: string) {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    plainRequest({ host: '127.0.0.1', port: http, path, headers: { host: hostname }, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  return { status: answer.statusCode, location: answer.headers.location, text: await text(answer) }
}

/** Has the database change what an authority is to be answered. */
async function spoilAnswers() {
  const { db } = server.context
  await sql`create or replace function spoil() returns trigger language plpgsql as
    $$ begin new.key_authorization := new.token || '.of-somebody-else'; return new; end $$`.execute(db)
  await sql`create trigger spoil before insert on acme_challenges for each row execute function spoil()`.execute(db)
}

test('a domain goes from its records to a certificate, step by step, though every fourth nonce is refused', async () => {
  const { pgid } = owner
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  const hostname = 'chat.shop.example'
  const place = { params: { pgid, cgid: chatbot.gid }, slug: chatbot.slug, hostname }
  await owner.call(addDomain, { params: place.params, body: { hostname } })
  const added = await look(place)
  expect(added).toMatchObject({ status: 'pending_ownership', problem: { code: 'txt_missing' }, checking: false })
  const { name, value } = added.ownership_verification
  await dns.setText(name, 'of somebody else')
  expect(await checked(place)).toMatchObject({ status: 'pending_ownership', problem: { code: 'txt_wrong' } })
  await dns.setText(name, value)
  expect(await checked(place)).toMatchObject({
    status: 'pending_dns',
    problem: { code: 'dns_missing' },
    ownership_verification: { status: 'active' },
    ssl_verification: { status: 'pending' },
  })
  await expect(visit(hostname)).rejects.toThrow()
  await dns.lead(hostname, true)
  expect(await checked(place)).toMatchObject({
    status: 'active',
    problem: null,
    ownership_verification: { status: 'active' },
    ssl_verification: { status: 'active' },
  })
  const page = await visit(hostname, `/api/chat/${place.slug}`)
  expect(page).toMatchObject({ subjectaltname: `DNS:${hostname}` })
  expect(page.text).toContain('This chatbot is not available.')
  // the builder's own rule for all names below it is none of somebody else's domain
  expect(page.headers['strict-transport-security']).toBeUndefined()
  const left = await server.context.db.selectFrom('acme_challenges').selectAll().execute()
  expect(left).toEqual([])
})

test('its key lies sealed, and plain HTTP leads to HTTPS', async () => {
  const place = await withDomain('keys.shop.example')
  expect((await checked(place)).status).toBe('active')
  const row = await server.context.db
    .selectFrom('custom_domains')
    .selectAll()
    .where('hostname', '=', place.hostname)
    .executeTakeFirstOrThrow()
  expect(row.certificate).toContain('BEGIN CERTIFICATE')
  expect(row.sealed_key).toMatch(/^v1\./)
  expect(JSON.stringify(row)).not.toContain('PRIVATE KEY')
  const location = `https://${place.hostname}:${https}/a?b=1`
  expect(await visitPlainly(place.hostname, '/a?b=1')).toMatchObject({ status: 308, location })
  for (const stranger of ['other.example', '127.0.0.1', 'localhost'])
    expect((await visitPlainly(stranger, '/')).status, stranger).toBe(404)
})

test('by tls-alpn-01 as well, where visitors of the same host go on', async () => {
  const { acme } = server.context.config.domains
  acme.challenge = 'tls-alpn-01'
  const place = await withDomain('alpn.shop.example')
  expect(await checked(place).finally(() => Object.assign(acme, { challenge: 'http-01' }))).toMatchObject({
    status: 'active',
  })
  expect((await visit(place.hostname, `/api/chat/${place.slug}`)).subjectaltname).toBe(`DNS:${place.hostname}`)
})

test.each(['http-01', 'tls-alpn-01'] as const)(
  'a wrong key authorisation is refused by %s, said in words, and tried again an hour later at the latest',
  async (challenge) => {
    const { acme } = server.context.config.domains
    acme.challenge = challenge
    try {
      const place = await withDomain(`wrong-${challenge}.shop.example`)
      await spoilAnswers()
      const failed = await checked(place)
      expect(failed).toMatchObject({ status: 'failed', problem: { code: 'ca_unauthorized' }, certified: false })
      expect(failed.problem?.detail).not.toBe('')
      await sql`drop trigger spoil on acme_challenges`.execute(server.context.db)
      clock.pass(3_600)
      expect(await look(place)).toMatchObject({ status: 'active', problem: null })
    } finally {
      acme.challenge = 'http-01'
    }
  },
)

test('a certificate is renewed at two thirds of its lifetime, not before, and shown at once', async () => {
  const place = await withDomain('renewed.shop.example')
  const { expires_at } = await checked(place)
  const lifetime = (Date.parse(expires_at ?? '') - clock().getTime()) / 1_000
  const first = await visit(place.hostname)
  const began = clock().getTime()
  clock.pass(lifetime * 0.6)
  await look(place)
  expect((await visit(place.hostname)).serialNumber).toBe(first.serialNumber)
  clock.pass(lifetime * 0.07)
  expect(await look(place)).toMatchObject({ status: 'active', problem: null })
  expect((await visit(place.hostname)).serialNumber).not.toBe(first.serialNumber)
  clock.pass((began - clock().getTime()) / 1_000)
})

test('an authority that says when to renew is heard, and told which certificate it is about', async () => {
  const place = await withDomain('told.shop.example')
  await checked(place)
  const first = await visit(place.hostname)
  const inDays = (days: number) => new Date(clock().getTime() + days * DAY * 1_000).toISOString()
  authority.suggest({ start: inDays(3), end: inDays(4) })
  clock.pass(DAY)
  await look(place)
  expect((await visit(place.hostname)).serialNumber).toBe(first.serialNumber)
  expect(authority.asked.at(-1)).toMatch(/^\/renewal-info\/[\w-]+\.[\w-]+$/)
  authority.suggest({ start: inDays(-2), end: inDays(-1) })
  clock.pass(DAY / 4)
  expect((await look(place)).status).toBe('active')
  expect((await visit(place.hostname)).serialNumber).not.toBe(first.serialNumber)
})

test('whoever has lost the record gets no new certificate, is served on for a week, and no longer', async () => {
  const place = await withDomain('lost.shop.example')
  await checked(place)
  const first = await visit(place.hostname)
  await dns.setText(`_parley-challenge.${place.hostname}`, null)
  authority.suggest({ start: new Date(0).toISOString(), end: new Date(1).toISOString() })
  clock.pass(DAY)
  expect(await look(place)).toMatchObject({ status: 'active', problem: { code: 'txt_missing' } })
  expect((await visit(place.hostname)).serialNumber).toBe(first.serialNumber)
  clock.pass(8 * DAY)
  expect(await look(place)).toMatchObject({
    status: 'failed',
    problem: { code: 'txt_missing' },
    certified: false,
    ownership_verification: { status: 'failed' },
  })
  await expect(visit(place.hostname)).rejects.toThrow()
})

test('of two processes one orders', async () => {
  const { db } = server.context
  await sql`create table orders (hostname text)`.execute(db)
  await sql`create or replace function note_order() returns trigger language plpgsql security definer as
    $$ begin insert into orders values (new.hostname); return new; end $$`.execute(db)
  await sql`create trigger note_order before insert on acme_challenges for each row execute function note_order()`.execute(
    db,
  )
  const place = await withDomain('once.shop.example')
  const second = await startTestServer({ clock, config, beside: server })
  try {
    await owner.call(checkDomain, { params: place.params })
    // asked for again while it is under way: a new job takes the place of the one that is carried out
    await Promise.all([
      server.context.jobs.runDue(),
      second.context.jobs.runDue(),
      owner.call(checkDomain, { params: place.params }),
    ])
    await expect
      .poll(async () => (await owner.call(readDomain, { params: place.params })).domain?.status)
      .toBe('active')
    clock.pass(60)
    await Promise.all([server.context.jobs.runDue(), second.context.jobs.runDue()])
    const { rows } = await sql<{ hostname: string }>`select hostname from orders`.execute(db)
    expect(rows).toEqual([{ hostname: place.hostname }])
  } finally {
    await second.close()
    await sql`drop trigger note_order on acme_challenges`.execute(db)
  }
})

test('a domain that is removed is served no more from that moment on', async () => {
  const place = await withDomain('removed.shop.example')
  await checked(place)
  expect((await visit(place.hostname)).status).not.toBeUndefined()
  await owner.call(removeDomain, { params: place.params })
  await expect(visit(place.hostname)).rejects.toThrow()
  expect((await visitPlainly(place.hostname, '/')).status).toBe(404)
  const rows = await server.context.db
    .selectFrom('jobs')
    .select('kind')
    .where('kind', '=', 'care-for-domain')
    .where('run_at', '<=', clock())
    .execute()
  expect(rows).toEqual([])
})

test('an account that has to belong to another one is bound to it', async () => {
  const eab = { kid: 'kid-1', hmac: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
  const strict = await startPebble({ dns, httpPort: http, tlsPort: https, eab })
  const { signal } = new AbortController()
  const client = new AcmeClient({
    directory: strict.directory,
    key: newKeyPair().privateKey,
    clock,
    signal,
    ca: strict.ca,
  })
  try {
    await expect(client.openAccount(null, null)).rejects.toMatchObject({ type: 'externalAccountRequired' })
    await expect(client.openAccount(null, { ...eab, hmac: 'd3Jvbmc' })).rejects.toThrow()
    await client.openAccount('owner@shop.example', eab)
  } finally {
    client.close()
    await strict.close()
  }
})
