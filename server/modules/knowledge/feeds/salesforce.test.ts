import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { consent } from '../../../../tests/support/vendors/consent'
import { startSalesforce } from '../../../../tests/support/vendors/salesforce/startSalesforce'
import { addFeed, listFeeds, readFeedNow, updateFeed } from '../../../contracts/feeds'
import {
  beginConnection,
  disconnect,
  finishConnection,
  listChoices,
  listVendorConnections,
} from '../../../contracts/integrations'
import { deleteSources, listSources, readSource } from '../../../contracts/sources'
import { parseConfig } from '../../../platform/config/config'
import { listArticles, readArticles } from '../../integrations/salesforce/articles'

const clock = createTestClock('2026-11-24T10:00:00Z')
const KB = 'Knowledge__kav'
let salesforce: Awaited<ReturnType<typeof startSalesforce>>
let server: TestServer
let ada: Registered
let connection: string
let at: { pgid: string; cgid: string }

beforeAll(async () => {
  salesforce = await startSalesforce({ clock, rotates: true })
  const { vendors } = parseConfig({
    SALESFORCE_CLIENT_ID: salesforce.client.id,
    SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
    SALESFORCE_LOGIN_URL: salesforce.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  connection = (await finish(await begin(), 'knowledge')).connection?.gid ?? ''
})
afterAll(async () => {
  await server.close()
  await salesforce.close()
})
beforeEach(async () => {
  at = { pgid: ada.pgid, cgid: (await makeChatbot(ada)).cgid }
  salesforce.state.records.clear()
  salesforce.faults.clear()
  clock.pass(61)
})

async function begin() {
  const body = { vendor: 'salesforce', area: 'knowledge', return_to: '' } as const
  return (await ada.call(beginConnection, { params: { pgid: ada.pgid }, body })).url
}
async function finish(url: string, area: 'knowledge' | 'builder') {
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  return ada.call(finishConnection, { body: { vendor: 'salesforce', area, state, code } })
}
const article = (Title: string, answer: string, more: Record<string, string | boolean> = {}) =>
  salesforce.add(KB, { Title, Answer__c: `<p>${answer}</p>`, ...more })
function change(Title: string, values: Record<string, string | boolean>) {
  const record = salesforce.all(KB).find((each) => each.values.Title === Title)
  if (!record) throw new Error(`no article “${Title}”`)
  clock.pass(60)
  Object.assign(record, { values: { ...record.values, ...values }, changed: clock() })
}
async function add(more: object = {}) {
  const usual = { connection, language: 'en_US', fields: ['Summary', 'Answer__c'], site: '', most: 1_000 }
  const body = { kind: 'salesforce' as const, resync: 'never' as const, ...usual, ...more }
  return (await ada.call(addFeed, { params: at, body })).feed.gid
}
const feeds = async () => (await ada.call(listFeeds, { params: at })).feeds
const sources = async () =>
  (await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })).sources.toSorted((a, b) =>
    a.title.localeCompare(b.title),
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
  salesforce.calls.length = 0
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
}
const textOf = async (title: string) => {
  const gid = (await sources()).find((source) => source.title === title)?.gid ?? ''
  const { chunks } = await ada.call(readSource, { params: { ...at, gid } })
  return chunks.map(({ text }) => text).join('\n')
}
const choices = async (list: 'article-languages' | 'article-fields') => {
  const body = { list, within: [], search: '', reload: true }
  return ada.call(listChoices, { params: { pgid: ada.pgid, gid: connection }, body })
}

test('it is connected where sources are added, and people come back to the address of that', async () => {
  const url = await begin()
  const callback = `${server.context.config.publicUrl}/oauth/kb/salesforce/callback`
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(callback)
  const { vendors } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(vendors.filter(({ knowledge_callback }) => knowledge_callback !== null).map(({ slug }) => slug)).toEqual([
    'salesforce',
    'zendesk',
  ])
  // a code for one address is worth nothing with another
  expect((await finish(url, 'builder')).connection).toBe(null)
})

test('the form offers the languages and the fields with texts', async () => {
  expect((await choices('article-languages')).choices.map(({ id }) => id)).toEqual(['en_US', 'de', 'fr'])
  expect((await choices('article-fields')).choices.map(({ id }) => id)).toEqual(['Summary', 'Answer__c', 'Notes__c'])
})

test('of published articles those for everybody are trained, in one language, by the chosen fields alone', async () => {
  article('Delivery', 'Parcels take <b>two days</b>.', {
    Summary: 'How long it takes',
    Notes__c: '<p>We buy it at 5</p>',
  })
  article('Prices we pay', 'Five euros', { IsVisibleInPkb: false })
  article('Unfinished', 'Not yet', { PublishStatus: 'Draft' })
  article('Old', 'Long ago', { PublishStatus: 'Archived' })
  article('Lieferung', 'Pakete brauchen zwei Tage.', { Language: 'de' })
  await expect(add({ site: 'help' })).rejects.toThrow('valid URL')
  await add()
  await due()
  expect(await titles()).toEqual(['Delivery: ready'])
  expect(await feeds()).toMatchObject([{ state: 'ready', sources: 1, reason: null, title: '127.0.0.1 (en_US)' }])
  const text = await textOf('Delivery')
  expect(text).toContain('two days')
  expect(text).toContain('How long it takes')
  expect(text).not.toContain('buy')
  const [source] = await sources()
  expect(source).toMatchObject({ language: 'en', url: expect.stringContaining(`${salesforce.origin}/kA0`) })
  await add({ language: 'de' })
  await due()
  expect(await titles()).toEqual(['Delivery: ready', 'Lieferung: ready'])
  await expect(add({ language: 'de' })).rejects.toThrow('follows it already')
  expect(salesforce.broken).toEqual([])
})

test('what is edited is read again and nothing else; what leaves the public list leaves the knowledge base', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four']) article(name, `About ${name}, at length.`)
  const gid = await add()
  await due()
  expect(await titles()).toHaveLength(4)
  change('One', { Answer__c: '<p>All is new.</p>', Title: 'First' })
  change('Two', { IsVisibleInPkb: false })
  change('Three', { PublishStatus: 'Archived' })
  await readNow(gid)
  expect(await titles()).toEqual(['First: ready', 'Four: ready'])
  expect(await textOf('First')).toContain('All is new')
  const asked = salesforce.calls.filter(({ path }) => path.endsWith('/query'))
  expect(asked).toHaveLength(2)
  await readNow(gid)
  // nothing was edited: the list alone is asked for
  expect(salesforce.calls.filter(({ path }) => path.endsWith('/query'))).toHaveLength(1)
  // a new version of an article is the same one
  const four = salesforce.all(KB).find(({ values }) => values.Title === 'Four')
  salesforce.state.records.delete(four?.id ?? '')
  const again = { KnowledgeArticleId: String(four?.values.KnowledgeArticleId), UrlName: 'Four' }
  clock.pass(60)
  article('Four', 'Version two of it.', again)
  await readNow(gid)
  expect(await titles()).toEqual(['First: ready', 'Four: ready'])
  expect(await textOf('Four')).toContain('Version two')
  // what a member deletes stays out until it is wanted again
  const gids = (await sources()).filter(({ title }) => title === 'Four').map((source) => source.gid)
  await ada.call(deleteSources, { params: at, body: { gids } })
  await readNow(gid)
  expect(await titles()).toEqual(['First: ready'])
  await ada.call(updateFeed, { params: { ...at, gid }, body: { left_out: 0 } })
  await readNow(gid)
  expect(await titles()).toEqual(['First: ready', 'Four: ready'])
  expect(salesforce.broken).toEqual([])
})

test('the newest ones are taken where there are more, and citations lead to the public site', async () => {
  for (const name of ['One', 'Two', 'Three']) {
    clock.pass(60)
    article(name, `About ${name}, at length.`)
  }
  await add({ most: 2, site: 'https://example.com/help/' })
  await due()
  expect((await sources()).map(({ title, url }) => [title, url])).toEqual([
    ['Three', 'https://example.com/help/Three'],
    ['Two', 'https://example.com/help/Two'],
  ])
  expect(await feeds()).toMatchObject([{ reason: expect.stringContaining('the newest 2.') }])
})

test('what newer ones push out of the newest stays as long as it is public, and is read again when it is edited', async () => {
  for (const name of ['One', 'Two']) {
    clock.pass(60)
    article(name, `About ${name}, at length.`)
  }
  const gid = await add({ most: 2 })
  await due()
  for (const name of ['Three', 'Four', 'Five']) {
    clock.pass(60)
    article(name, `About ${name}, at length.`)
  }
  await readNow(gid)
  expect(await titles()).toEqual(['Five: ready', 'Four: ready', 'One: ready', 'Two: ready'])
  expect(await feeds()).toMatchObject([
    { reason: expect.stringContaining('the newest 2, and 2 older ones from before') },
  ])
  change('Two', { IsVisibleInPkb: false })
  await readNow(gid)
  expect(await titles()).toEqual(['Five: ready', 'Four: ready', 'One: ready'])
  change('One', { PublishStatus: 'Archived' })
  await readNow(gid)
  expect(await titles()).toEqual(['Five: ready', 'Four: ready'])
  expect(salesforce.broken).toEqual([])
})

test('a field that is gone, Knowledge switched off, and access withdrawn are told with the remedy', async () => {
  article('Delivery', 'Parcels take two days.')
  const gid = await add()
  await due()
  const says = async (reason: string) => {
    await readNow(gid)
    expect(await feeds()).toMatchObject([{ state: 'error', sources: 1, reason: expect.stringContaining(reason) }])
  }
  const { objects } = salesforce.state
  const without = (name: string) =>
    objects.map((each) => ({ ...each, fields: each.fields.filter((field) => field.name !== name) }))
  salesforce.state.objects = without('Answer__c')
  await says('The field “Answer__c” does not exist any more')
  salesforce.state.objects = objects.filter(({ name }) => name !== KB)
  await says('Lightning Knowledge is switched off')
  expect((await choices('article-fields')).problem).toContain('Lightning Knowledge is switched off')
  salesforce.state.objects = objects
  await expect(add({ connection: 'a'.repeat(16), language: 'fr' })).rejects.toThrow('Choose a connection')
  const body = { confirmed: true }
  const unasked = ada.call(disconnect, { params: { pgid: ada.pgid, gid: connection }, body: { confirmed: false } })
  await expect(unasked).rejects.toThrow('“Bot” (127.0.0.1 (en_US)')
  await ada.call(disconnect, { params: { pgid: ada.pgid, gid: connection }, body })
  await says('Its connection to Salesforce was removed')
})

test('an internal article that is answered all the same is not taken', async () => {
  const [id, articleId] = ['ka0000000000001AAA', 'kA0000000000001AAA']
  const record = { Id: id, KnowledgeArticleId: articleId, Title: 'Internal', UrlName: 'internal', Language: 'en_US' }
  const answers = (more: object) => async () =>
    ({
      done: true,
      records: [{ ...record, LastModifiedDate: 'x', PublishStatus: 'Online', ...more, Answer__c: 'Secret' }],
    }) as never
  const listed = (more: object) =>
    listArticles(answers(more), { language: 'en_US', most: 10, known: [], onFound: async () => undefined })
  expect((await listed({ IsVisibleInPkb: true })).articles).toHaveLength(1)
  const texts: string[] = []
  const read = (more: object) =>
    readArticles(answers(more), { ids: [id], fields: ['Answer__c'], language: 'en_US' }, async (_, found) => {
      texts.push(...found.values())
    })
  for (const internal of [
    { IsVisibleInPkb: false },
    { IsVisibleInPkb: true, PublishStatus: 'Draft' },
    { IsVisibleInPkb: undefined },
  ]) {
    expect((await listed(internal)).articles).toEqual([])
    await read(internal)
  }
  expect(texts).toEqual([])
  await read({ IsVisibleInPkb: true })
  expect(texts).toEqual(['Secret'])
  // where a list goes on is not followed to another host
  const away = async () => ({ done: false, records: [record], nextRecordsUrl: 'https://evil.example/' }) as never
  await expect(
    listArticles(away, { language: 'en_US', most: 10, known: [], onFound: async () => undefined }),
  ).rejects.toThrow('can’t be read')
})
