import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createJobs } from '../../jobs/createJobs'
import { dashboard } from '../account/contract'
import { addFaq, addText, listSources, readSource, testRetrieval } from './contract'

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

/** Everything that is queued is trained, and the threshold measured. */
async function trained(): Promise<void> {
  await createJobs(server.context).runDue()
  clock.pass(10)
  await createJobs(server.context).runDue()
}
const list = (query = {}) => ada.call(listSources, { params: at, query: { offset: 0, limit: 50, ...query } })

test('an entry and a text are trained, found by a question and counted in the account', async () => {
  const { source } = await ada.call(addFaq, {
    params: at,
    body: { question: 'How long may I return a parcel?', answer: 'Within thirty days.', phrasings: ['return period'] },
  })
  expect(source).toMatchObject({ kind: 'faq', status: 'queued', title: 'How long may I return a parcel?', chunks: 0 })
  await ada.call(addText, {
    params: at,
    body: { title: 'Opening hours', markdown: '# Shop\n\nThe shop is open from nine to five.' },
  })
  expect((await list()).training.status).toBe('training')
  await trained()
  const { sources, training, total, credits } = await list()
  expect(sources.map(({ kind, status, chunks, reason }) => ({ kind, status, chunks, reason }))).toEqual([
    { kind: 'text', status: 'ready', chunks: 1, reason: null },
    { kind: 'faq', status: 'ready', chunks: 1, reason: null },
  ])
  expect(training).toMatchObject({ status: 'idle', chunks: 2, by_kind: { faq: 1, text: 1, link: 0, document: 0 } })
  expect([total, credits.used]).toEqual([2, training.characters])

  const found = await ada.call(testRetrieval, { params: at, body: { question: 'How long may I return a parcel?' } })
  expect(found.passages[0]).toMatchObject({ text: 'Within thirty days.', source: { gid: source.gid, kind: 'faq' } })
  const { user } = await ada.call(dashboard, { body: at })
  expect(user.chatbot).toMatchObject({
    training_stats: { count: { total: 2 } },
    data_sources: { faq: [{ id: source.gid }], links: [], document: [] },
  })
  expect(user.usage.training_credits.used).toBe(training.characters)
  const detail = await ada.call(readSource, { params: { ...at, gid: source.gid } })
  expect(detail.data).toMatchObject({ kind: 'faq', phrasings: ['return period'] })
  expect(detail.chunks).toEqual([
    { position: 0, heading: 'How long may I return a parcel?\nreturn period', text: 'Within thirty days.' },
  ])
})
