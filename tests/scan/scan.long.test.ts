import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureProgram } from '../../server/cli/debianProgram.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { acceptAsNew } from '../../server/contracts/invitations'
import { inviteMembers } from '../../server/contracts/members'
import type { Route } from '../../server/contracts/route'
import { type Owned, startOwned } from '../drills/ownedProcess'
import { streams } from '../security/tenancy/known'
import { makeFolder } from '../support/app'
import { createClient, pathOf, type TestClient } from '../support/client'
import { tokenOf } from '../support/people'
import { jsonSchemaOf, sample } from '../support/sample'
import { findInjections, findNames, findWeaknesses } from './scanners'

/**
 * ffuf, sqlmap and wapiti over the built program, as nobody and as each role: `npm test -- tests/scan/scan.long.test.ts`
 * installs them from Debian.
 */
const WHO = ['nobody', 'owner', 'admin', 'editor', 'analyst', 'billing', 'viewer'] as const
const PATIENCE = 1_800_000

let owned: Owned
let folder: string
const clients = new Map<string, TestClient>()
let ids: Record<string, string>
beforeAll(async () => {
  for (const program of ['ffuf', 'sqlmap', 'wapiti'] as const) ensureProgram(program)
  folder = await makeFolder()
  owned = await startOwned({ DATA_DIR: folder })
  const { app, owner, pgid } = owned
  clients.set('owner', owner)
  for (const [at, name] of WHO.slice(2).entries()) {
    const { invited } = await owner.call(inviteMembers, {
      params: { pgid },
      body: { emails: [`${name}@example.com`], roles: [(at + 2) as 2] },
    })
    const client = await createClient(app.url)
    const person = { first_name: name, last_name: 'Role', password: 'correct horse battery' }
    await client.call(acceptAsNew, { body: { token: tokenOf(invited[0]?.link ?? ''), ...person } })
    clients.set(name, client)
  }
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  ids = { pgid, cgid: chatbot.gid, fid: chatbot.fid, slug: chatbot.slug }
}, PATIENCE)
afterAll(async () => {
  await owned?.app.end('SIGINT')
  await rm(folder, { recursive: true, force: true })
})

const cookiesOf = (name: string) =>
  [...(clients.get(name)?.cookies ?? [])].map(([key, value]) => `${key}=${value}`).join('; ')

/** Every address that can be read, with values that its contract takes. */
function readable(): string[] {
  const modules = import.meta.glob<Record<string, unknown>>('../../server/contracts/*.ts', { eager: true })
  const routes = Object.values(modules)
    .flatMap((module) => Object.values(module))
    .filter((value): value is Route<unknown, unknown, unknown, unknown> => isRead(value))
  return routes.map((route) => {
    const other = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'a'.repeat(16)]))
    const { properties = {} } = jsonSchemaOf(route.query)
    const query = Object.entries(properties).map(([name, schema]) => [name, String(sample(schema))])
    const asked = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
    return `${owned.app.url}${pathOf(route.path, { ...other, ...ids })}${asked}`
  })
}

const isRead = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'query' in value &&
  'method' in value &&
  value.method === 'GET' &&
  !streams.has(`GET ${String(value.path)}`)

/**
 * What everybody may see: screens, which are one page, what programs ask for, the list of the interface's files, and, on
 * this machine, `/metrics`.
 */
const OPEN =
  /^\/(?:admin|c|login|register|setup|status|widget\/chat\.html|index\.html|docs\/?|embed\.js|favicon\.ico|robots\.txt|healthz|readyz|manifest\.json|metrics|api\/user|api\/projects|api\/v1\/openapi\.json|\.well-known\/security\.txt)$/

/** Who makes the first account runs the installation. */
const isOperators = (name: string, path: string) => name === 'owner' && path === '/api/admin/people'

describe.each(WHO)('%s', (name) => {
  test(
    'finds no name that is not meant to be found',
    async () => {
      const found = await findNames(owned.app.url, cookiesOf(name))
      expect(
        found.filter(
          ({ path, status }) => status >= 500 || (status < 300 && !OPEN.test(path) && !isOperators(name, path)),
        ),
      ).toEqual([])
    },
    PATIENCE,
  )

  test(
    'reaches the database by no parameter',
    async () => {
      const urls = readable()
      expect(urls.length).toBeGreaterThan(100)
      expect(await findInjections(urls, cookiesOf(name))).toEqual([])
    },
    PATIENCE,
  )

  test(
    'meets no weakness that a crawler knows',
    async () => {
      const { pgid, cgid, slug } = ids
      const url = owned.app.url
      const starts = [
        `${url}/login`,
        `${url}/c/${slug}`,
        `${url}/docs/`,
        `${url}/projects/${pgid}/chatbots/${cgid}/builder`,
      ]
      const found = await findWeaknesses(url, [...starts, ...readable().slice(0, 60)], cookiesOf(name))
      expect(found.filter((line) => !MEANT.some((each) => each.test(line)))).toEqual([])
    },
    PATIENCE,
  )
})

/** What it reports and we mean. */
const MEANT = [
  // the page reads it to send it back with what changes something
  /HttpOnly flag.*XSRF-TOKEN/i,
  // over http, as a scan on one machine is; server/modules/accounts/auth/routes.test.ts has https
  /Secure flag/i,
  /Strict-Transport-Security/i,
  // browsers have given it up, and its filter was a hole itself
  /X-XSS-Protection/i,
]
