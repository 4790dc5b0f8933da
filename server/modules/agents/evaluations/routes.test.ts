import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type ModelServer, startModelServer } from '../../../../tests/support/modelServer'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { updateAiSettings } from '../../../contracts/ai'
import { duplicateChatbot, listChatbots, updateChatbot } from '../../../contracts/chatbots'
import {
  addEvaluation,
  changeEvaluation,
  deleteEvaluation,
  type EvaluationBody,
  importEvaluations,
  listEvaluations,
  runEvaluations,
  setEvaluationRuns,
} from '../../../contracts/evaluations'
import { duplicateProject } from '../../../contracts/projects'
import { addFaq, deleteSources, linkKnowledge, listSources } from '../../../contracts/sources'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'
import { evaluationRun } from './runRows'

const clock = createTestClock()
let server: TestServer
let models: ModelServer
let ada: Registered
beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer({ clock, config: { ai: models.settings } })
  ada = await server.register()
})
afterAll(() => Promise.all([server.close(), models.close()]))

/** A chatbot that knows two things, with real training and the built-in model. */
async function setUp() {
  const { pgid, cgid } = await makeChatbot(ada)
  const params = { pgid, cgid }
  const path = `/api/projects/${pgid}/chatbots/${cgid}/evaluations`
  await ada.call(updateChatbot, { params, body: { business_name: 'Lamps', business_description: 'Sells lamps.' } })
  const teach = async (question: string, answer: string) => {
    const { source } = await ada.call(addFaq, { params, body: { question, answer, phrasings: [] } })
    return source.gid
  }
  const returns = await teach('How long can I return a lamp?', 'You can return a lamp within 30 days of delivery.')
  await teach('Do you repair lamps?', 'Our workshop repairs every lamp that we have sold.')
  await runDue()
  const add = async (body: Partial<EvaluationBody> & { question: string }) =>
    (await ada.call(addEvaluation, { params, body: { words: [], source: null, unknown: false, ...body } })).question
  const list = () => ada.call(listEvaluations, { params })
  const run = async (who = ada) => {
    const started = await who.call(runEvaluations, { params })
    await runDue()
    return started.run
  }
  return { params, path, returns, add, list, run }
}
const runDue = () => server.context.jobs.runDue()

test('a run asks every question, judges the answers, and is compared with the run before', async () => {
  const { params, returns, add, list, run } = await setUp()
  const cited = await add({ question: 'How many days to return a lamp?', words: ['30 DAYS'], source: returns })
  const silent = await add({ question: 'Who won the chess championship of 1972?', unknown: true })
  const wrong = await add({ question: 'Do you repair lamps?', words: ['for ever'] })
  expect(await run()).toMatchObject({ running: true, total: 3, done: 0 })

  const first = await list()
  expect(first.runs).toMatchObject([{ passed: 2, total: 3, done: 3, running: false }])
  expect(first.runs[0]?.model).not.toBe('')
  expect(first.questions.map(({ gid, result }) => [gid, result?.passed, result?.problem])).toEqual([
    [cited.gid, true, null],
    [silent.gid, true, null],
    [wrong.gid, false, 'Not in the answer: “for ever”.'],
  ])
  expect(first.questions[0]?.result).toMatchObject({ rank: 1, answer: expect.stringContaining('30 days') })

  // the changed expectation is measured by the next run; the last score stays
  await ada.call(changeEvaluation, {
    params: { ...params, gid: wrong.gid },
    body: { question: wrong.question, words: ['workshop'], source: null, unknown: false },
  })
  await ada.call(deleteSources, { params, body: { gids: [returns] } })
  await runDue()
  await run()
  const second = await list()
  expect(second.runs.map(({ passed, total }) => [passed, total])).toEqual([
    [2, 3],
    [2, 3],
  ])
  const [lost, , mended] = second.questions
  expect(lost).toMatchObject({ result: { passed: false }, before: { passed: true } })
  expect(lost?.source_title).toBe('How long can I return a lamp?')
  expect(mended).toMatchObject({ result: { passed: true }, before: null })
  await ada.call(deleteEvaluation, { params: { ...params, gid: cited.gid } })
  expect((await list()).runs.map(({ total }) => total)).toEqual([3, 3])
})

test('a run that was cut off goes on with what it has not asked, and asks nothing twice', async () => {
  const { params, add, list } = await setUp()
  await ada.call(updateAiSettings, { params, body: { model_id: ENVIRONMENT_MODEL } })
  models.answers('Within 30 days [1].')
  const first = await add({ question: 'Do you repair lamps?' })
  await add({ question: 'How long can I return a lamp?' })
  // the state after a killed process: one of two is answered, and the job is to be taken up again
  await server.context.db.transaction().execute(async (trx) => {
    const question = await trx
      .selectFrom('evaluation_questions')
      .select(['id', 'project_id', 'chatbot_id'])
      .where('gid', '=', first.gid)
      .executeTakeFirstOrThrow()
    const { project_id, chatbot_id } = question
    const run = await trx
      .insertInto('evaluation_runs')
      .values({
        gid: first.gid,
        project_id,
        chatbot_id,
        model: '',
        total: 2,
        started_by: null,
        created_at: server.context.clock(),
        finished_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const result = { passed: true, problem: null, answer: 'Asked before the crash', rank: null }
    await trx
      .insertInto('evaluation_results')
      .values({ run_id: run.id, question_id: question.id, project_id, ...result })
      .execute()
    const job = { payload: { run: run.id }, runAt: server.context.clock() }
    await server.context.jobs.schedule(trx, evaluationRun, { ...job, projectId: project_id, key: first.gid })
  })
  await runDue()
  const { questions, runs } = await list()
  expect(questions.map(({ result }) => result?.answer)).toEqual(['Asked before the crash', 'Within 30 days [1].'])
  expect(runs).toMatchObject([{ total: 2, done: 2, running: false }])
  expect(models.calls).toHaveLength(1)
})

test('a training is followed by a run where editors want it, also of chatbots that use the knowledge base', async () => {
  const { params, add, list } = await setUp()
  await add({ question: 'Do you sell candles?', words: ['beeswax'] })
  const teach = async (answer: string) => {
    await ada.call(addFaq, { params, body: { question: 'Do you sell candles?', answer, phrasings: [] } })
    await settle()
  }
  // trained, and what it tells is heard, and what follows is done
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) {
      clock.pass(60_000)
      await runDue()
      await server.app.modules.consumers.runDue()
    }
  }
  await settle()
  await teach('We sell candles of wax.')
  expect(await list()).toMatchObject({ after_training: false, runs: [] })

  await ada.call(setEvaluationRuns, { params, body: { after_training: true } })
  const { chatbot } = await ada.call(duplicateChatbot, { params, body: {} })
  const copy = { pgid: params.pgid, cgid: chatbot.gid }
  await ada.call(linkKnowledge, { params: copy, body: { chatbot: params.cgid } })
  await settle()
  const before = (await list()).runs.length
  await teach('All our candles are of beeswax.')
  const { runs, after_training } = await list()
  expect(after_training).toBe(true)
  expect(runs.slice(0, runs.length - before)).toMatchObject([
    { after_training: true, total: 1, done: 1, running: false },
  ])
  expect((await ada.call(listEvaluations, { params: copy })).runs[0]).toMatchObject({ after_training: true, total: 1 })
})

test('one run at a time, and none without questions or while the set-up is not complete', async () => {
  const { params, path, add } = await setUp()
  expect(await ada.send('POST', `${path}/run`, {})).toMatchObject({ status: 422 })
  await add({ question: 'Do you repair lamps?' })
  await server.context.db.transaction().execute(async (work) => {
    // the run can't write a result, so it can't end before the second one is requested
    await sql`lock table evaluation_results in share row exclusive mode`.execute(work)
    await ada.call(runEvaluations, { params })
    expect(await ada.send('POST', `${path}/run`, {})).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
  await runDue()
  await ada.call(updateChatbot, { params, body: { business_name: '' } })
  expect(await ada.send('POST', `${path}/run`, {})).toMatchObject({ status: 409, body: { code: 'setup_missing' } })
})

test('several come at once or not at all, and what contradicts itself or is not there is refused at its field', async () => {
  const { params, path, add, list } = await setUp()
  const other = await setUp()
  const good = { question: 'Do you repair lamps?', words: [], source: null, unknown: false }
  expect(
    await ada.send('POST', `${path}/import`, { questions: [good, { ...good, source: other.returns }] }),
  ).toMatchObject({ status: 422, body: { data: { fields: { 'questions.1.source': expect.any(String) } } } })
  expect(await ada.send('POST', path, { ...good, words: ['x'], unknown: true })).toMatchObject({
    status: 422,
    body: { data: { fields: { unknown: expect.any(String) } } },
  })
  expect((await list()).questions).toEqual([])
  expect(await ada.call(importEvaluations, { params, body: { questions: [good, good] } })).toEqual({ added: 2 })
  // another chatbot's question is not found
  const theirs = await other.add({ question: 'Theirs?' })
  expect(await ada.send('DELETE', `${path}/${theirs.gid}`)).toMatchObject({ status: 404 })
  expect(await ada.send('PATCH', `${path}/${theirs.gid}`, good)).toMatchObject({ status: 404 })
  expect((await add({ question: 'Ours?' })).question).toBe('Ours?')
})

test('a copy of the chatbot is asked the same questions, which want its own sources', async () => {
  const { params, returns, add } = await setUp()
  const kept = { before: [{ by: 'visitor' as const, text: 'Hello' }], actions: [] }
  await add({ question: 'How many days to return a lamp?', source: returns, kept })
  await add({ question: 'Who won the chess championship of 1972?', unknown: true })
  const copied = async (cgid: string, pgid = params.pgid) => {
    const copy = { pgid, cgid }
    const { questions, runs } = await ada.call(listEvaluations, { params: copy })
    const { sources } = await ada.call(listSources, { params: copy, query: { offset: 0, limit: 50 } })
    const wanted = sources.find(({ gid }) => gid === questions[0]?.source)
    expect(wanted).toMatchObject({ title: 'How long can I return a lamp?' })
    expect(wanted?.gid).not.toBe(returns)
    expect([questions.map(({ unknown }) => unknown), runs]).toEqual([[false, true], []])
    expect(questions.map((question) => question.kept)).toEqual([kept, undefined])
  }
  const { chatbot } = await ada.call(duplicateChatbot, { params })
  await copied(chatbot.gid)
  const { project } = await ada.call(duplicateProject, { params: { pgid: params.pgid } })
  const { chatbots } = await ada.call(listChatbots, { params: { pgid: project.gid } })
  // this chatbot and its copy were the newest ones
  await copied(chatbots.at(-1)?.gid ?? '', project.gid)
})

test('a viewer keeps a question and runs them all, and changes none', async () => {
  const { path, add, run } = await setUp()
  const viewer = await inviteMember(server, ada, Role.VIEWER)
  const { gid } = await add({ question: 'Do you repair lamps?' })
  const kept = { question: 'Do you rent lamps?', words: [], source: null, unknown: true }
  expect(await viewer.send('POST', path, kept)).toMatchObject({ status: 200 })
  expect((await run(viewer)).total).toBe(2)
  expect(await viewer.send('PATCH', `${path}/${gid}`, kept)).toMatchObject({ status: 403 })
  expect(await viewer.send('DELETE', `${path}/${gid}`)).toMatchObject({ status: 403 })
  expect(await viewer.send('POST', `${path}/import`, { questions: [kept] })).toMatchObject({ status: 403 })
})
