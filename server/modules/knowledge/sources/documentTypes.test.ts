import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { listSources, testRetrieval } from '../../../contracts/sources'

/** Documents besides PDF, where an installation reads them. */
const clock = createTestClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock, config: { allDocuments: true } })
})
afterAll(() => server.close())

async function upload(person: Registered, cgid: string, name: string, content: string) {
  const path = `/api/projects/${person.pgid}/chatbots/${cgid}/sources/documents?${new URLSearchParams({ name })}`
  return person.send('POST', path, new TextEncoder().encode(content), { 'content-type': 'application/octet-stream' })
}

test('a price list in CSV is trained, and its rows answer', async () => {
  const ada = await server.register()
  const { pgid, cgid } = await makeChatbot(ada)
  const csv = 'Boat;An hour;A week\nSingle kayak;9 euros;190 euros\nCanoe;18 euros;280 euros\n'
  expect((await upload(ada, cgid, 'Boats.csv', csv)).status).toBe(200)
  await server.context.jobs.runDue()
  clock.pass(10)
  await server.context.jobs.runDue()
  const { sources, document_types } = await ada.call(listSources, {
    params: { pgid, cgid },
    query: { offset: 0, limit: 50 },
  })
  expect(document_types).toContain('docx')
  expect(sources[0]).toMatchObject({ title: 'Boats', status: 'ready', kind: 'document', pages: null })
  const { answer } = await ada.call(testRetrieval, {
    params: { pgid, cgid },
    body: { question: 'price of a single kayak for a week' },
  })
  expect(answer).toContain('190 euros')
})

test('a file whose bytes are not what its name says is refused with what it is and what is read', async () => {
  const ada = await server.register()
  const { cgid } = await makeChatbot(ada)
  for (const [name, content, what] of [
    ['prices.xlsx', 'a;b', 'of another type than its name says'],
    ['prices.csv', 'a\0b', 'of another type than its name says'],
    ['prices.csv', '', 'empty'],
    ['song.mod', 'M.K.', 'of another type'],
  ] as const) {
    const answer = await upload(ada, cgid, name, content)
    expect([answer.status, answer.text]).toEqual([415, expect.stringContaining(`This file is ${what}.`)])
    expect(answer.text).toContain('Documents can be PDF, DOCX')
  }
})

test('where only PDF is read, other files are refused', async () => {
  const closed = await startTestServer({ config: { allDocuments: false } })
  try {
    const ada = await closed.register()
    const { cgid } = await makeChatbot(ada)
    const answer = await upload(ada, cgid, 'Boats.csv', 'Boat;Price\nCanoe;18\n')
    expect([answer.status, answer.text]).toEqual([415, expect.stringContaining('Documents must be PDF files.')])
  } finally {
    await closed.close()
  }
})
