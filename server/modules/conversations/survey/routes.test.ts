import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { type Block, emptyFlow } from '../../../../engine/flow/schema'
import { addMember } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { typebotSource } from '../../../../tests/support/typebot'
import { Role } from '../../../access/roles'
import { type Conversation, chatPage, startConversation } from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { readTranscript } from '../../../contracts/conversations'
import { importFlow, publishFlow } from '../../../contracts/flows'
import { readSurveyAnswers } from '../../../contracts/surveyAnswers'
import { saveSurvey } from '../../../contracts/web'
import { type SurveySettings, surveySchema } from '../../../contracts/web/settings'
import { lockConversation } from '../runtime/rows'
import { keepAnswer } from './keepAnswer'

let server: TestServer
let editor: Registered
beforeAll(async () => {
  server = await startTestServer()
  editor = await server.register()
})
afterAll(() => server.close())

let count = 0
async function makeChatbot() {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Leads' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  const flow = { ...params, fid: chatbot.fid }
  await editor.call(importFlow, { params: flow, body: { source: typebotSource('questions.json'), mode: 'replace' } })
  await editor.call(publishFlow, { params: flow })
  const ask = (settings: Partial<SurveySettings>) =>
    editor.call(saveSurvey, { params, body: { settings: { ...surveySchema.parse({}), enabled: true, ...settings } } })
  const visitor = await server.guest()
  async function talk() {
    const started = await visitor.send('POST', `/api/chat/${chatbot.slug}/conversations`, {
      client_id: `start-${++count}000`,
    })
    const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
    const path = `/api/chat/${chatbot.slug}/conversations/${conversation.id}/survey`
    const rate = (body: object, bearer = token) =>
      visitor.send('POST', path, body, { authorization: `Bearer ${bearer}` })
    return { id: conversation.id, rate }
  }
  const page = () => visitor.call(chatPage, { params: { slug: chatbot.slug } })
  return { params, ask, talk, page }
}
const needed = { enabled: true, required: true }

it('keeps what visitors say, the last word of each conversation, and shows it with its average', async () => {
  const { params, ask, talk, page } = await makeChatbot()
  expect((await page()).survey).toBeNull()
  await ask({
    resolved: needed,
    feedback: { enabled: true, required: false },
    follow_up: { enabled: true, required: false },
  })
  expect((await page()).survey).toMatchObject({ rating: { type: 'emoji' }, resolved: needed })
  const [one, two, three] = [await talk(), await talk(), await talk()]
  expect((await one.rate({ rating: 1, resolved: false })).status).toBe(200)
  const said = { rating: 5, resolved: true, feedback: ' Very kind ', follow_up: ['answers', 'speed', 'speed'] }
  expect((await one.rate(said)).status).toBe(200)
  expect((await two.rate({ rating: 4, resolved: false })).status).toBe(200)
  expect((await three.rate({ rating: 4, resolved: true })).status).toBe(200)
  const results = await editor.call(readSurveyAnswers, { params })
  expect(results).toMatchObject({ count: 3, average: 4.33, resolved: 67 })
  expect(results.answers.find(({ conversation }) => conversation === one.id)).toMatchObject({
    rating: 5,
    resolved: true,
    feedback: 'Very kind',
    follow_up: ['answers', 'speed'],
  })
  const { transcript } = await editor.call(readTranscript, { params: { ...params, conversation: one.id } })
  expect(transcript.survey).toMatchObject({ rating: 5, feedback: 'Very kind' })
  const events = await server.context.db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'survey.answered')
    .execute()
  expect(events.map(({ payload }) => payload)).toContainEqual({
    conversation: one.id,
    environment: 'sharing',
    rating: 5,
    resolved: true,
  })
})

it('asks for what is required, keeps nothing that was not asked, and takes nothing while there is no survey', async () => {
  const { params, ask, talk } = await makeChatbot()
  const visitor = await talk()
  expect((await visitor.rate({ rating: 3 })).status).toBe(404)
  await ask({ resolved: needed, follow_up: needed, feedback: needed })
  const refused = async (body: object) =>
    Object.keys(((await visitor.rate(body)).body.data as { fields: object }).fields)
  expect(await refused({ rating: 3, resolved: true, feedback: 'x' })).toEqual(['follow_up'])
  expect(await refused({ rating: 3, follow_up: ['other'], feedback: 'x' })).toEqual(['resolved'])
  expect(await refused({ rating: 3, follow_up: ['other'], resolved: true, feedback: ' ' })).toEqual(['feedback'])
  expect(await refused({ rating: 6 })).toEqual(['rating'])
  expect(await refused({ rating: 3, feedback: 'x'.repeat(351) })).toEqual(['feedback'])
  await ask({})
  expect((await visitor.rate({ rating: 2, resolved: true, feedback: 'x', follow_up: ['other'] })).status).toBe(200)
  const { answers } = await editor.call(readSurveyAnswers, { params })
  expect(answers).toMatchObject([{ rating: 2, resolved: null, feedback: '', follow_up: [] }])
})

it('takes no word about a conversation of another, and shows none to editors', async () => {
  const { params, ask, talk } = await makeChatbot()
  await ask({})
  const visitor = await talk()
  expect((await visitor.rate({ rating: 1 }, 'another')).status).toBe(404)
  const other = await server.register()
  await addMember(server, params.pgid, other, [Role.EDITOR])
  await expect(other.call(readSurveyAnswers, { params })).rejects.toThrow('403')
})

/** A chatbot whose flow asks for two ratings, words and two choices, one after the other. */
async function ratedInFlow() {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Rated' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  const rating = (id: string, data: object): Block => ({
    id,
    kind: 'satisfaction',
    version: registry.get('satisfaction').migrations.length,
    data: {
      ...(registry.get('satisfaction').defaults(() => `${id}-item`) as object),
      low: null,
      ...data,
    } as Block['data'],
  })
  const option = (label: string) => ({ id: `o-${label}`, label: { type: 'static', value: label } })
  const blocks: Block[] = [
    { id: 'start', kind: 'start', version: 0, data: {} },
    rating('score', { scale: 'numbers', points: 10, zero: true }),
    rating('stars', { scale: 'stars', points: 5 }),
    rating('words', { answer: 'text' }),
    rating('reasons', { answer: 'multiple', options: ['Fast', 'Kind', 'Right'].map(option) }),
    rating('reason', { answer: 'single', options: ['Price', 'Place'].map(option) }),
  ]
  const flow = { ...emptyFlow(), groups: [{ id: 'g', title: 'All', position: { x: 0, y: 0 }, blocks }] }
  const place = { ...params, fid: chatbot.fid }
  await editor.call(importFlow, { params: place, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await editor.call(publishFlow, { params: place })
  const visitor = await server.guest()
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'start-0001' },
  })
  const path = `/api/chat/${chatbot.slug}/conversations/${conversation.id}/messages`
  const reply = async (reply: object) => {
    const body = { client_id: `message-${++count}`, reply }
    const answer = await visitor.send('POST', path, body, { authorization: `Bearer ${token}` })
    expect(answer.status, answer.text).toBe(200)
  }
  return { params, id: conversation.id, reply }
}

it('keeps the ratings that blocks of a flow ask for among the survey’s, each marked by its block, with no survey set', async () => {
  const { params, id, reply } = await ratedInFlow()
  await reply({ type: 'text', text: 'hm' })
  expect((await editor.call(readSurveyAnswers, { params })).count).toBe(0)
  await reply({ type: 'choice', optionIds: ['9'] })
  await reply({ type: 'text', text: '2' })
  await reply({ type: 'text', text: 'Kind' })
  const results = await editor.call(readSurveyAnswers, { params })
  expect(results).toMatchObject({ count: 3, average: 3.5, resolved: null })
  const flow = { asked: 'flow', conversation: id, feedback: '', follow_up: [], resolved: null }
  expect(results.answers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...flow, rating: 5, chosen: '9' }),
      expect.objectContaining({ ...flow, rating: 2, chosen: '2' }),
    ]),
  )
  // the conversation shows them where they were given
  const { transcript } = await editor.call(readTranscript, { params: { ...params, conversation: id } })
  expect(transcript.survey).toBeNull()
  const events = await server.context.db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'survey.answered')
    .execute()
  expect(events.map(({ payload }) => payload)).toContainEqual({
    conversation: id,
    environment: 'sharing',
    rating: 5,
    resolved: null,
    block: expect.any(String),
  })
})

it('keeps the words and the choices that blocks of a flow ask for, without a rating', async () => {
  const { params, id, reply } = await ratedInFlow()
  for (const chosen of ['10', '5']) await reply({ type: 'choice', optionIds: [chosen] })
  await reply({ type: 'text', text: 'x'.repeat(351) })
  expect((await editor.call(readSurveyAnswers, { params })).count).toBe(2)
  await reply({ type: 'text', text: ' Very kind ' })
  await reply({ type: 'choice', optionIds: ['o-Right', 'o-Fast'] })
  await reply({ type: 'choice', optionIds: ['o-Price', 'o-Place'] })
  await reply({ type: 'text', text: 'place' })
  const results = await editor.call(readSurveyAnswers, { params })
  expect(results).toMatchObject({ count: 5, average: 5 })
  const flow = { asked: 'flow', conversation: id, rating: null, follow_up: [], resolved: null }
  expect(results.answers.filter(({ rating }) => rating === null)).toEqual(
    [
      { chosen: 'Place', feedback: '' },
      { chosen: 'Fast, Right', feedback: '' },
      { chosen: '', feedback: 'Very kind' },
    ].map((said) => expect.objectContaining({ ...flow, ...said })),
  )
})

it('keeps no rating that a test of the draft gives', async () => {
  const { params, id } = await ratedInFlow()
  const { db } = server.context
  const ref = await db
    .selectFrom('conversations')
    .select(['id', 'project_id'])
    .where('gid', '=', id)
    .executeTakeFirstOrThrow()
  const rate = (environment: 'playground' | 'sharing') =>
    db
      .forProject(ref.project_id)
      .transaction()
      .execute(async (work) => {
        const row = await lockConversation(work, ref)
        if (row) await keepAnswer(work, { ...row, environment }, { type: 'choice', optionIds: ['9'] }, new Date())
      })
  await rate('playground')
  expect((await editor.call(readSurveyAnswers, { params })).count).toBe(0)
  await rate('sharing')
  expect((await editor.call(readSurveyAnswers, { params })).count).toBe(1)
})

it('wants a plan that has it to be switched on, and can be switched off on any; without it nobody is asked', async () => {
  // a project of its own: a small plan would leave further chatbots alone
  editor = await server.register()
  const { params, ask, talk, page } = await makeChatbot()
  const plan = (plan_id: string) =>
    server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', params.pgid).execute()
  await plan('free')
  await expect(ask({})).rejects.toThrow('plan_limit')
  await ask({ enabled: false })
  await plan('starter')
  await ask({})
  const visitor = await talk()
  expect((await page()).survey).not.toBeNull()
  // the plan ends: nobody is asked, nothing is taken, and what is set is kept for the next plan
  await plan('free')
  expect((await page()).survey).toBeNull()
  expect((await visitor.rate({ rating: 3 })).status).toBe(404)
  await ask({ resolved: needed })
  await plan('self-hosted')
  expect((await page()).survey).toMatchObject({ resolved: needed })
  expect((await visitor.rate({ rating: 3, resolved: true })).status).toBe(200)
})
