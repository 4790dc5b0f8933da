import { afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../tests/support/clock'
import { mailVariables } from '../platform/config/mailSettings'
import { vendorVariables } from '../platform/config/vendorSettings'
import { openSandbox, type Sandbox } from './openSandbox'
import { sandboxVendors } from './vendors'

let sandbox: Sandbox | null = null

afterEach(async () => {
  await sandbox?.close()
  sandbox = null
})

const known = new Set(Object.keys({ ...vendorVariables, ...mailVariables }))
async function open(env: Record<string, string> = {}): Promise<Sandbox> {
  sandbox = await openSandbox(env, createTestClock('2026-01-01T08:00:00Z'), known, 0)
  return sandbox
}
const textOf = async (url: string) => (await fetch(url)).text()
/** @returns the address of a vendor's pages, as the page of all vendors links to it */
async function pagesOf(vendor: string): Promise<string> {
  const page = await textOf((sandbox ?? (await open())).url)
  return new RegExp(`<a href="([^"]+)">${vendor}</a>`).exec(page)?.[1] ?? ''
}
const send = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form) })
const hrefs = (page: string) => [...page.matchAll(/<a href="(\/sandbox\/[^"]+)"/g)].map((found) => found[1] ?? '')

test('a sandbox tells the server where its vendors are, and keeps its data apart', async () => {
  const { env, url } = await open({ DATA_DIR: '/srv/parley', PORT: '3000' })
  expect(env).toMatchObject({ DATA_DIR: '/srv/parley-sandbox', PORT: '3000' })
  for (const { variables } of sandboxVendors)
    for (const name of variables)
      expect(env[name], name).toMatch(name.endsWith('_URL') ? /^http:\/\/127\.0\.0\.1:/ : /./)
  const page = await textOf(url)
  expect(page).toContain('This is a sandbox.')
  for (const { name } of sandboxVendors) expect(page).toContain(`>${name}</a>`)
})

test.each(sandboxVendors.flatMap(({ variables }) => variables.slice(0, 1)))(
  'a sandbox never starts beside a real %s',
  async (name) => {
    await expect(open({ [name]: 'real' })).rejects.toThrow(`${name} is set: unset it, or start without --sandbox`)
  },
)

test.each(['DATABASE_URL', 'REDIS_URL'])('a sandbox never starts on what others share by %s', async (name) => {
  await expect(open({ [name]: 'redis://shared' })).rejects.toThrow(`${name} is set`)
})

test('a second sandbox takes other ports', async () => {
  const first = await open()
  const second = await openSandbox({}, createTestClock(), known, Number(new URL(first.url).port))
  expect(second.url).not.toBe(first.url)
  await second.close()
})

test.each(sandboxVendors.map(({ name }) => name))('each page of %s says that it is not the vendor', async (name) => {
  const first = await pagesOf(name)
  const overview = await textOf(first)
  expect(hrefs(overview).length).toBeGreaterThan(0)
  for (const href of ['/sandbox', ...hrefs(overview)]) {
    const page = await textOf(new URL(href, first).href)
    expect(page).toContain(`This is not ${name}.`)
  }
  expect((await fetch(`${first}/nothing`)).status).toBe(404)
})

test('rows of a spreadsheet are added, changed and, once it is confirmed, deleted', async () => {
  const overview = await pagesOf('Google')
  const tab = new URL(hrefs(await textOf(overview)).find((href) => /-0$/.test(href)) ?? '', overview).href
  expect(await textOf(tab)).toContain('value="Cleo"')
  await send(tab, { 'f-A': '1003', 'f-B': 'Dee', 'f-C': '', 'f-D': '<b>new</b>' })
  expect(await textOf(tab)).toContain('value="&lt;b&gt;new&lt;/b&gt;"')
  await send(`${tab}/3`, { 'f-A': '1003', 'f-B': 'Eve', 'f-C': '', 'f-D': '', do: 'save' })
  expect(await textOf(tab)).toContain('value="Eve"')
  expect(await (await send(`${tab}/3`, { do: 'remove' })).text()).toContain('1003, Eve can’t be brought back.')
  expect(await textOf(tab)).toContain('value="Eve"')
  await send(`${tab}/3`, { do: 'removeNow' })
  expect(await textOf(tab)).not.toContain('value="Eve"')
})

test('what the vendor would refuse is refused, and what was typed stays', async () => {
  const contacts = `${await pagesOf('HubSpot')}/contacts`
  const refused = await send(contacts, { 'f-email': 'nobody', 'f-firstname': 'Nobody' })
  const page = await refused.text()
  expect([refused.status, page]).toEqual([400, expect.stringContaining('Email address nobody is invalid')])
  expect(page).toContain('id="new-firstname" value="Nobody"')
  const cases = `${await pagesOf('Salesforce')}/Contact`
  expect(await (await send(cases, { 'f-FirstName': 'Ada' })).text()).toContain(
    'Required fields are missing: [LastName]',
  )
})

test('a person answers a ticket as an agent, and it is no new one any more', async () => {
  const tickets = `${await pagesOf('Zendesk')}/tickets`
  await send(tickets, { 'f-subject': 'Broken', 'f-status': 'new', 'f-tags': 'a b', 'f-reply': 'It is broken.' })
  const id = /<form id="row-(\d+)"/.exec(await textOf(tickets))?.[1]
  await send(`${tickets}/${id}`, {
    'f-subject': 'Broken',
    'f-status': 'solved',
    'f-tags': 'a',
    'f-reply': 'We mended it.',
    do: 'save',
  })
  const page = await textOf(tickets)
  expect(page).toContain('It is broken. · We mended it.')
  expect(page).toContain('<option selected>solved</option>')
})

test('a ticket that is added without a status is a new one', async () => {
  const tickets = `${await pagesOf('Zendesk')}/tickets`
  await send(tickets, { 'f-subject': 'Plain', 'f-status': '', 'f-tags': '', 'f-reply': 'It is broken.' })
  const page = await textOf(tickets)
  const [, state] = /<option selected>(.*?)<\/option>/.exec(page.slice(page.indexOf('value="Plain"'))) ?? []
  expect(state).toBe('new')
})

test('what is to go wrong is chosen, shown until it has happened, and taken back', async () => {
  const overview = await pagesOf('Google')
  const fail = (more: Record<string, string> = {}) =>
    send(overview, { do: 'fail', on: 'POST /token', with: 'serverError', times: '1', seconds: '30', ...more })
  await fail()
  expect(await textOf(overview)).toContain('It fails (500): POST /token')
  expect((await send(new URL('/token', overview).href, {})).status).toBe(500)
  expect(await textOf(overview)).not.toContain('Waiting to happen')
  expect(await (await fail({ times: '0' })).text()).toContain('“0” times is not possible: give a number from 1 to 100.')
  expect(await (await fail({ on: 'POST /nothing' })).text()).toContain('“POST /nothing” is no call')
  await fail({ with: 'slow' })
  await send(overview, { do: 'clearFaults' })
  expect(await textOf(overview)).not.toContain('Waiting to happen')
  expect(await textOf(overview)).toContain('<td>POST /token</td><td>500</td>')
})

test('a form of another page is not taken', async () => {
  const contacts = `${await pagesOf('HubSpot')}/contacts`
  const headers = { origin: 'https://elsewhere.example' }
  const body = new URLSearchParams({ 'f-email': 'x@sandbox.example' })
  expect((await fetch(contacts, { method: 'POST', headers, body })).status).toBe(403)
})
