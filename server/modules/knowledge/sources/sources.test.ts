import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { linesOf, writePdf } from '../../../../tests/support/pdf'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { dashboard } from '../../../contracts/account'
import { createChatbot, deleteChatbot, duplicateChatbot, listChatbots } from '../../../contracts/chatbots'
import { duplicateProject } from '../../../contracts/projects'
import {
  addFaq,
  addText,
  deleteSources,
  importFaq,
  linkKnowledge,
  listSources,
  readSource,
  sourceSchema,
  testRetrieval,
  updateFaq,
} from '../../../contracts/sources'
import { createFileStore } from '../../../platform/files/files'
import { forgetFiles } from '../../conversations/files/forgetFiles'

const clock = createTestClock()
let server: TestServer
let ada: Registered
let at: { pgid: string; cgid: string }
beforeAll(async () => {
  server = await startTestServer({ clock })
  ada = await server.register()
})
afterAll(() => server.close())
beforeEach(async () => {
  const { cgid } = await makeChatbot(ada)
  at = { pgid: ada.pgid, cgid }
})

/** Trains everything that is queued, and calibrates. */
async function trained(): Promise<void> {
  await server.context.jobs.runDue()
  clock.pass(10)
  await server.context.jobs.runDue()
}
const list = (query = {}, params = at) => ada.call(listSources, { params, query: { offset: 0, limit: 50, ...query } })
const faq = (question: string, answer = 'An answer.', phrasings: string[] = []) =>
  ada.call(addFaq, { params: at, body: { question, answer, phrasings } }).then(({ source }) => source)
const ask = (question: string, params = at) => ada.call(testRetrieval, { params, body: { question } })

function post(pdf: Buffer, name = 'manual.pdf', cgid = at.cgid) {
  return fetch(
    `${server.url}/api/projects/${ada.pgid}/chatbots/${cgid}/sources/documents?${new URLSearchParams({ name })}`,
    { method: 'POST', headers: headers(), body: new Uint8Array(pdf) },
  )
}
const headers = () => ({
  cookie: [...ada.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
  'x-xsrf-token': ada.cookies.get('XSRF-TOKEN') ?? '',
  'content-type': 'application/octet-stream',
})
async function upload(...input: Parameters<typeof post>) {
  const { data } = await (await post(...input)).json()
  return sourceSchema.parse(data.source)
}

test('an entry and a text are trained, found by a question and counted in the account', async () => {
  const source = await faq('How long may I return a parcel?', 'Within thirty days.', ['return period'])
  // training starts at once, and may be done before the response is sent
  expect(source).toMatchObject({
    kind: 'faq',
    status: expect.stringMatching(/queued|reading|training|ready/),
    title: 'How long may I return a parcel?',
  })
  const body = { title: 'Opening hours', markdown: '# Shop\n\nThe shop is open from nine to five.' }
  await ada.call(addText, { params: at, body })
  await trained()
  const { sources, training, total } = await list()
  expect(sources.map(({ kind, status, chunks, reason }) => ({ kind, status, chunks, reason }))).toEqual([
    { kind: 'text', status: 'ready', chunks: 1, reason: null },
    { kind: 'faq', status: 'ready', chunks: 1, reason: null },
  ])
  expect(training).toMatchObject({ status: 'idle', chunks: 2, by_kind: { faq: 1, text: 1, link: 0, document: 0 } })
  expect(total).toBe(2)
  const found = await ask('How long may I return a parcel?')
  expect(found.passages[0]).toMatchObject({ text: 'Within thirty days.', source: { gid: source.gid, kind: 'faq' } })
  const { user } = await ada.call(dashboard, { body: at })
  expect(user.chatbot).toMatchObject({
    training_stats: { count: { total: 2 } },
    data_sources: { faq: [{ id: source.gid }], links: [], document: [] },
  })
  expect(user.usage.training_credits.used).toBe(training.characters)
  const detail = await ada.call(readSource, { params: { ...at, gid: source.gid } })
  expect(detail.data).toMatchObject({ kind: 'faq', phrasings: ['return period'] })
  const heading = 'How long may I return a parcel?\nreturn period'
  expect(detail.chunks).toEqual([{ position: 0, heading, text: 'Within thirty days.' }])
})

test('an entry that is changed is trained anew, and its old answer is gone', async () => {
  const { gid } = await faq('What does delivery cost?', 'Four euros.')
  await trained()
  const body = { question: 'What does delivery cost?', answer: 'Nothing at all.', phrasings: [] }
  await ada.call(updateFaq, { params: { ...at, gid }, body })
  await trained()
  expect((await ask('What does delivery cost?')).passages.map(({ text }) => text)).toEqual(['Nothing at all.'])
})

test('a first entry is known by other words as soon as it is ready, without any time passing', async () => {
  await faq('How long may I return a lamp?', 'Within 30 days, free of charge.')
  await server.context.jobs.runDue()
  const { zone, answer } = await ask('How many days do I have to return a lamp?')
  expect([zone, answer]).toEqual(['confident', expect.stringContaining('Within 30 days')])
})

test('sources are filtered by kind, state and what is searched for, a page at a time', async () => {
  for (const question of ['One?', 'Two?', '100% sure?']) await faq(question)
  await ada.call(addText, { params: at, body: { title: 'One more', markdown: 'Text.' } })
  expect((await list({ search: 'one' })).sources.map(({ title }) => title)).toEqual(['One more', 'One?'])
  expect((await list({ search: '%' })).sources.map(({ title }) => title)).toEqual(['100% sure?'])
  expect((await list({ kind: 'faq', limit: 2 })).sources).toHaveLength(2)
  expect((await list({ kind: 'faq', limit: 2 })).total).toBe(3)
  expect((await list({ status: 'error' })).total).toBe(0)
})

test.each([
  ['commas, any order and case', 'Answer,QUESTION\nYes.,Is it open?\n'],
  ['semicolons and a byte order mark', '\ufeffquestion;answer;phrasings\n"Is it open?";"Yes.";\n'],
  ['tabs and Windows lines', 'question\tanswer\r\nIs it open?\tYes.\r\n\r\n'],
])('a CSV is read with %s', async (_, csv) => {
  const body = { csv, check: true }
  expect(await ada.call(importFaq, { params: at, body })).toEqual({
    added: 1,
    wrong: [],
    sample: [{ question: 'Is it open?', answer: 'Yes.', phrasings: [] }],
  })
  expect((await list()).total).toBe(0)
})

test('of a CSV the good lines are imported, and each wrong one is named', async () => {
  await faq('There already?')
  const csv = [
    'question,answer,phrasings',
    'First?,Yes.,one | two',
    '"broken" quotes,here',
    'Second?,"It has',
    'two lines."',
    ',no question',
    'First?,again',
    'there  ALREADY?,yes',
    'a,b,c,d',
    'Third?,Good.',
    '"never closed,x',
    'Fourth?,Good, too',
  ].join('\n')
  const checked = await ada.call(importFaq, { params: at, body: { csv, check: true } })
  expect(checked.wrong).toEqual([
    { line: 3, message: expect.stringContaining('quotation marks are broken') },
    { line: 6, message: 'Question: Enter a question' },
    { line: 7, message: 'The same question stands in line 2.' },
    { line: 8, message: expect.stringContaining('there already') },
    { line: 9, message: expect.stringContaining('It has 4 columns, the first line names 3') },
    { line: 11, message: expect.stringContaining('never closed') },
  ])
  const { added, sample } = await ada.call(importFaq, { params: at, body: { csv, check: false } })
  expect([added, sample.map(({ question }) => question)]).toEqual([4, ['First?', 'Second?', 'Third?', 'Fourth?']])
  expect(sample[0]?.phrasings).toEqual(['one', 'two'])
  expect((await list()).total).toBe(5)
})

test('a CSV of which hardly a line can be read is given up, and says where', async () => {
  const csv = `question,answer\n${'"no" quotes,x\n'.repeat(40)}Last?,Yes.`
  const { added, wrong } = await ada.call(importFaq, { params: at, body: { csv, check: true } })
  expect([added, wrong.length]).toEqual([0, 21])
  expect(wrong.at(-1)).toEqual({ line: 22, message: 'Too many invalid lines: the rest was not read.' })
})

test.each([
  ['', 'The file is empty'],
  ['frage,antwort\na,b', 'It says: frage, antwort'],
])('a CSV without its columns is refused: %j', async (csv, message) => {
  const { added, wrong } = await ada.call(importFaq, { params: at, body: { csv, check: false } })
  expect([added, wrong]).toEqual([0, [{ line: 1, message: expect.stringContaining(message) }]])
})

test('a PDF is uploaded, read, found with its page, and its file outlives the sweep until the document is deleted', async () => {
  const pdf = writePdf([linesOf(['Cover of the manual']), linesOf(['The pump needs eleven litres of oil.'])])
  const source = await upload(pdf)
  expect(source).toMatchObject({ kind: 'document', title: 'manual', file_name: 'manual.pdf', bytes: pdf.length })
  await trained()
  expect((await list()).sources[0]).toMatchObject({ status: 'ready', pages: 2, chunks: 2 })
  const { passages } = await ask('How much oil does the pump need?')
  expect(passages[0]).toMatchObject({ heading: 'manual › Page 2', text: 'The pump needs eleven litres of oil.' })
  expect((await (await post(pdf, 'again.pdf')).json()).data).toContain('already added as “manual”')

  const files = createFileStore(join(server.context.config.dataDir, 'files'))
  const project = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirst()
  const { sha256 } = await server.context.db
    .selectFrom('knowledge_sources')
    .select('sha256')
    .where('gid', '=', source.gid)
    .executeTakeFirstOrThrow()
  const late = { ...server.context, clock: () => new Date(Date.now() + 7_200_000) }
  const folder = join(server.context.config.dataDir, 'files', project?.id ?? '')
  const isThere = async () => (await readdir(folder)).includes(sha256 ?? '')
  await forgetFiles(late, files)
  expect(await isThere()).toBe(true)
  expect(await ada.call(deleteSources, { params: at, body: { gids: [source.gid] } })).toEqual({ deleted: 1 })
  await forgetFiles(late, files)
  expect(await isThere()).toBe(false)
  expect((await ask('How much oil does the pump need?')).passages).toEqual([])
})

test.each([
  ['a zip that is called a PDF', Buffer.from('PK\x03\x04 and so on'), 415, /an archive \(ZIP\)/],
  ['an empty file', Buffer.alloc(0), 415, /empty/],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 415, /an image/],
])('%s is refused by its bytes', async (_, bytes, status, message) => {
  const response = await post(bytes)
  const { data } = await response.json()
  expect(response.status).toBe(status)
  expect(data).toMatch(message)
  expect((await list()).total).toBe(0)
})

test('a file of a gigabyte is refused by what it says of itself, before it is sent', async () => {
  const url = new URL(`${server.url}/api/projects/${ada.pgid}/chatbots/${at.cgid}/sources/documents?name=a.pdf`)
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', headers: { ...headers(), 'content-length': 1_000_000_000 } },
      (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => {
          call.destroy()
          resolve({ status: response.statusCode ?? 0, text })
        })
      },
    )
    call.on('error', reject)
    call.write('%PDF-1.7')
  })
  expect(answer.status).toBe(413)
})

test('a file that does not say how large it is is refused where it becomes too large', async () => {
  const url = new URL(`${server.url}/api/projects/${ada.pgid}/chatbots/${at.cgid}/sources/documents?name=a.pdf`)
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(url, { method: 'POST', headers: headers() }, async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve({ status: response.statusCode ?? 0, text })
      call.destroy()
    })
    // the connection may close while the refused body is still being sent
    call.on('error', (error) => ('code' in error && /EPIPE|ECONNRESET/.test(String(error.code))) || reject(error))
    call.write('%PDF-1.7')
    for (let sent = 0; sent < 51; sent++) call.write(Buffer.alloc(1_000_000))
    call.end()
  })
  expect([answer.status, answer.text]).toEqual([413, expect.stringContaining('larger than 50 MB')])
  expect((await list()).total).toBe(0)
})

test('a knowledge base is borrowed, one step and no further', async () => {
  await faq('Where is the shop?', 'In Hamburg.')
  await trained()
  const other = async (name: string) =>
    (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name } })).chatbot.gid
  const [borrower, third] = [await other('Borrower'), await other('Third')]
  const link = (cgid: string, chatbot: string | null) =>
    ada.send('POST', `/api/projects/${ada.pgid}/chatbots/${cgid}/knowledge-link`, { chatbot })
  expect((await link(borrower, at.cgid)).status).toBe(200)
  const there = { pgid: ada.pgid, cgid: borrower }
  expect((await ask('Where is the shop?', there)).passages[0]?.text).toBe('In Hamburg.')
  expect((await list({}, there)).linked).toEqual({ gid: at.cgid, name: 'Bot' })
  const { user } = await ada.call(dashboard, { body: there })
  expect(user.chatbot).toMatchObject({
    linked_kb: { id: at.cgid, name: 'Bot' },
    training_stats: { count: { total: 1 } },
    setup: { sources: true },
  })
  expect((await link(third, borrower)).text).toContain('Choose “Bot” instead')
  expect((await link(at.cgid, third)).text).toContain("“Borrower” uses this chatbot's data sources")
  expect((await link(third, third)).status).toBe(422)
  await ada.call(linkKnowledge, { params: there, body: { chatbot: null } })
  expect((await ask('Where is the shop?', there)).passages).toEqual([])
})

test('a call that names no source is refused at its field', async () => {
  const path = `/api/projects/${at.pgid}/chatbots/${at.cgid}/sources`
  for (const [call, more] of [['read-again'], ['stop'], ['delete'], ['resync', { resync: 'never' }]] as const)
    expect(await ada.send('POST', `${path}/${call}`, { gids: [], ...more }), call).toMatchObject({
      status: 422,
      body: { success: false, code: 'invalid', data: { fields: { gids: 'Choose at least one source' } } },
    })
})

test("nothing reaches another chatbot's sources, nor another project's", async () => {
  const source = await faq('Where is the shop?', 'In Hamburg.')
  await server.context.db
    .updateTable('knowledge_sources')
    .set({ status: 'queued' })
    .where('gid', '=', source.gid)
    .execute()
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Other' } })
  const bob = await server.register()
  const { cgid } = await makeChatbot(bob)
  for (const [who, pgid, other] of [
    [ada, ada.pgid, chatbot.gid],
    [bob, bob.pgid, cgid],
  ] as const) {
    const path = `/api/projects/${pgid}/chatbots/${other}/sources`
    const gids = [source.gid]
    expect((await who.send('GET', `${path}/${source.gid}`)).status).toBe(404)
    expect((await who.send('POST', `${path}/read-again`, { gids })).status).toBe(404)
    expect((await who.send('POST', `${path}/resync`, { gids, resync: 'never' })).status).toBe(404)
    expect((await who.send('POST', `${path}/stop`, { gids })).body.data).toEqual({ stopped: 0 })
    expect((await who.send('POST', `${path}/stop`, {})).body.data).toEqual({ stopped: 0 })
    expect((await who.send('POST', `${path}/delete`, { gids })).body.data).toEqual({ deleted: 0 })
  }
  const link = await bob.send('POST', `/api/projects/${bob.pgid}/chatbots/${cgid}/knowledge-link`, { chatbot: at.cgid })
  expect([link.status, link.text]).toEqual([422, expect.stringContaining('no such chatbot in this project')])
  const [kept] = (await list()).sources
  expect(kept).toMatchObject({ gid: source.gid })
  expect(kept?.status).not.toBe('stopped')
})

test('a copy of a chatbot and of a project knows what the original knows, and outlives it', async () => {
  await upload(writePdf([linesOf(['The tower is ninety metres high.'])]), 'tower.pdf')
  await trained()
  await faq('Is it open on Sunday?', 'No, it is closed.')
  const { chatbot } = await ada.call(duplicateChatbot, { params: at })
  const copy = { pgid: ada.pgid, cgid: chatbot.gid }
  await trained()
  expect((await list({}, copy)).sources.map(({ status, kind }) => [kind, status])).toEqual([
    ['faq', 'ready'],
    ['document', 'ready'],
  ])
  await ada.call(deleteChatbot, { params: at, body: { name: 'Bot' } })
  expect((await ask('How high is the tower?', copy)).passages[0]?.text).toBe('The tower is ninety metres high.')
  expect((await ask('Is it open on Sunday?', copy)).passages[0]?.text).toBe('No, it is closed.')

  const { project } = await ada.call(duplicateProject, { params: { pgid: ada.pgid } })
  const { chatbots } = await ada.call(listChatbots, { params: { pgid: project.gid } })
  const twin = { pgid: project.gid, cgid: chatbots.find(({ name }) => name === chatbot.name)?.gid ?? '' }
  expect((await ask('How high is the tower?', twin)).passages[0]?.text).toBe('The tower is ninety metres high.')
})
