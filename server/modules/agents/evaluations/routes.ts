import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { refuseWithoutSetup } from '../../../access/setup'
import * as contract from '../../../contracts/evaluations'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import { presentEvaluation } from './presenter'
import { countOf, lockChatbot, newestResults, questionsOf } from './rows'
import { runsOf } from './runRows'
import { startRun } from './startRun'
import { valuesOf } from './valuesOf'

/** Routes for evaluations: questions with known answers, and how the chatbot does with them over time. */
export function registerEvaluations(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids, jobs } = context

  const placeOf = async ({ db, project: { id: projectId } }: ProjectCaller, cgid: string): Promise<KnowledgePlace> => ({
    projectId,
    chatbotId: (await chatbotOf(db, projectId, cgid)).id,
  })

  registerRoute(app, context, contract.listEvaluations, async ({ caller, params }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const place = { projectId: caller.project.id, chatbotId: chatbot.id }
    // read first: if a run has ended, the data read after it has all its results, and nobody polls again
    const runs = await runsOf(caller.db, place)
    const [rows, results] = await Promise.all([
      questionsOf(caller.db, place).execute(),
      newestResults(caller.db, place),
    ])
    return {
      questions: rows.map((row) => presentEvaluation(row, results)),
      runs,
      after_training: chatbot.evaluates_training,
    }
  })

  registerRoute(app, context, contract.addEvaluation, async ({ caller, params, body }) => {
    const place = await placeOf(caller, params.cgid)
    const [gid = ''] = await add(caller, place, [body], () => '')
    return { question: await read(caller, place, gid) }
  })

  registerRoute(app, context, contract.importEvaluations, async ({ caller, params, body }) => {
    const place = await placeOf(caller, params.cgid)
    const added = await add(caller, place, body.questions, (at) => `questions.${at}.`)
    return { added: added.length }
  })

  registerRoute(app, context, contract.changeEvaluation, async ({ caller, params, body }) => {
    const place = await placeOf(caller, params.cgid)
    await caller.db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable('evaluation_questions')
        .set(await valuesOf(trx, place, body))
        .where('gid', '=', params.gid)
        .where('chatbot_id', '=', place.chatbotId)
        .returning('id')
        .executeTakeFirst()
      if (!changed) throw new ApiError('not_found')
      // old results don't measure the changed question
      await trx.deleteFrom('evaluation_results').where('question_id', '=', changed.id).execute()
    })
    return { question: await read(caller, place, params.gid) }
  })

  registerRoute(app, context, contract.deleteEvaluation, async ({ caller, params }) => {
    const { chatbotId } = await placeOf(caller, params.cgid)
    const deleted = await caller.db
      .deleteFrom('evaluation_questions')
      .where('gid', '=', params.gid)
      .where('chatbot_id', '=', chatbotId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw new ApiError('not_found')
    return {}
  })

  registerRoute(app, context, contract.runEvaluations, async ({ caller, params }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    refuseWithoutSetup(chatbot)
    const place = { projectId: caller.project.id, chatbotId: chatbot.id }
    const started = await caller.db.transaction().execute((trx) => startRun(context, trx, place, caller.user.id))
    if (started === 'running') {
      throw new ApiError('conflict', { message: 'A run is already in progress. Wait until it is done.' })
    }
    if (started === 'empty') throw new ApiError('invalid', { message: 'There are no questions yet: add one first.' })
    jobs.wake()
    const run = (await runsOf(caller.db, place)).find((each) => each.gid === started.gid)
    if (!run) throw new ApiError('internal')
    return { run }
  })

  registerRoute(app, context, contract.setEvaluationRuns, async ({ caller, params, body }) => {
    const { chatbotId } = await placeOf(caller, params.cgid)
    await caller.db
      .updateTable('chatbots')
      .set({ evaluates_training: body.after_training })
      .where('id', '=', chatbotId)
      .execute()
    return {}
  })

  async function read({ db }: ProjectCaller, place: KnowledgePlace, gid: string): Promise<contract.EvaluationQuestion> {
    const row = await questionsOf(db, place).where('question.gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return presentEvaluation(row, await newestResults(db, place))
  }

  const add = (
    { db, user }: ProjectCaller,
    place: KnowledgePlace,
    bodies: readonly contract.EvaluationBody[],
    field: (at: number) => string,
  ): Promise<string[]> =>
    db.transaction().execute(async (trx) => {
      await lockChatbot(trx, place)
      if ((await countOf(trx, place)) + bodies.length > contract.EVALUATIONS_CAP) {
        throw new ApiError('invalid', {
          message: `A chatbot can have ${contract.EVALUATIONS_CAP} questions. Delete one you no longer need.`,
        })
      }
      const rows = []
      for (const [at, body] of bodies.entries()) {
        rows.push({
          gid: ids(),
          project_id: place.projectId,
          chatbot_id: place.chatbotId,
          created_by: user.id,
          created_at: clock(),
          ...(await valuesOf(trx, place, body, field(at))),
        })
      }
      await trx.insertInto('evaluation_questions').values(rows).execute()
      return rows.map(({ gid }) => gid)
    })
}
