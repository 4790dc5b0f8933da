import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertSources } from '../../../../tests/support/knowledgeBase'
import { begin, type ModelServer, refuse, startModelServer } from '../../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { askChatbot } from '../../../contracts/answers'
import { createChatbot } from '../../../contracts/chatbots'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'

let models: ModelServer
let server: TestServer
let owner: Registered
let cgid: string
beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer({ config: { ai: models.settings } })
  owner = await server.register()
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Shop' } })
  cgid = chatbot.gid
})
afterAll(() => Promise.all([server.close(), models.close()]))

const path = () => askChatbot.path.replace(':pgid', owner.pgid).replace(':cgid', cgid)
const body = { question: 'How long do parcels to islands take?', before: [] }

const row = () =>
  server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
const set = (values: object) =>
  server.context.db
    .updateTable('chatbots')
    .set(values as never)
    .where('gid', '=', cgid)
    .execute()

/** The events of a finished stream. */
const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
      return [name, JSON.parse(data ?? 'null')] as const
    })

test('while the set-up is not complete, what is missing is said', async () => {
  const refused = async () => (await owner.send('POST', path(), body)).body
  expect(await refused()).toMatchObject({
    code: 'setup_missing',
    data: { message: 'Please complete the following to setup the chatbot', missing: ['sources', 'details'] },
  })
  await set({ business_name: 'Shop', business_description: 'Sells lamps.' })
  expect(await refused()).toMatchObject({
    data: { message: 'You need to add at least one data source before you can test the chatbot.' },
  })
})

test('a question is answered as a stream that ends with the answer and how it came about', async () => {
  const { id, project_id } = await row()
  const place = { projectId: project_id, chatbotId: id }
  await insertSources(server.context.db, place, [
    { title: 'Delivery', texts: ['We deliver within three working days. Parcels to islands take a week.'] },
  ])
  await server.parts.knowledge.calibrate(place)
  const answer = await owner.send('POST', path(), body)
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = eventsOf(String(answer.text))
  expect(events.map(([name]) => name)).toEqual(['text', 'answer'])
  const [, last] = events.at(-1) ?? []
  expect(askChatbot.answer.safeParse(last).success).toBe(true)
  expect(last).toMatchObject({
    text: 'We deliver within three working days. Parcels to islands take a week. [1]',
    response_source: 'knowledge',
    stream: true,
    answer_not_found: false,
    failed: false,
  })
})

test('of a model that fails the tester gets the reason beside what visitors are told', async () => {
  models.answers(refuse(401))
  const overrides = { model_id: ENVIRONMENT_MODEL }
  const events = eventsOf(String((await owner.send('POST', path(), { ...body, overrides })).text))
  expect(events.map(([name]) => name)).toEqual(['answer'])
  expect(events.at(-1)?.[1]).toMatchObject({
    failed: true,
    text: 'Sorry, I can’t answer right now. Please try again later.',
    debug: { note: expect.stringContaining('refused the key') },
  })
})

test('what is tried out counts for that question alone, and the prompt is shown to who may read the instructions', async () => {
  models.answers('A week [1].')
  const overrides = { model_id: ENVIRONMENT_MODEL, temperature: 0.7, instructions: 'Rhyme.' }
  const events = eventsOf(String((await owner.send('POST', path(), { ...body, overrides })).text))
  expect(events.at(-1)?.[1].debug).toMatchObject({ temperature: 0.7, prompt: expect.stringContaining('Rhyme.') })
  expect(models.calls[0]?.body.temperature).toBe(0.7)
  const { instructions } = await server.context.db
    .selectFrom('chatbots')
    .select('instructions')
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  expect(instructions).toBe('')
  await server.context.db
    .updateTable('project_members')
    .set({ roles: [6] })
    .execute()
  const seen = eventsOf(String((await owner.send('POST', path(), { ...body, overrides })).text))
  expect(seen.at(-1)?.[1].debug.prompt).toBeNull()
  await server.context.db
    .updateTable('project_members')
    .set({ roles: [1] })
    .execute()
})

test('a model is stopped when the one who asked leaves', async () => {
  let closed: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    closed = resolve
  })
  models.answers((response, call, speak) => {
    response.on('close', closed)
    begin('It takes a week and ', 'stays')(response, call, speak)
  })
  const leaves = new AbortController()
  const asked = fetch(`${server.url}${path()}`, {
    method: 'POST',
    signal: leaves.signal,
    headers: {
      cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': owner.cookies.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...body, overrides: { model_id: ENVIRONMENT_MODEL } }),
  })
  const reader = (await asked).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: text')
  leaves.abort()
  await stopped
})

test('a bad question is refused at its field', async () => {
  expect((await owner.send('POST', path(), { question: ' ', before: [] })).body).toMatchObject({
    data: { fields: { question: 'Enter a question' } },
  })
})
