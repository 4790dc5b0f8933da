import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Answering } from '../answering/answering'
import { type Expected, judge } from './judge'
import { type EvaluationRow, questionsOf } from './rows'
import { evaluationRun, finishRun } from './runRows'

/** Questions asked in parallel: a model takes seconds for each. */
const AT_ONCE = 3

/**
 * The handler of runs: asks questions without a result in the run, so that an interrupted run continues, and no answer
 * is paid for twice.
 */
export function evaluationRuns(context: Pick<ServerContext, 'db' | 'clock'>, answering: Answering): HandledJob {
  return evaluationRun.handledBy(async (payload, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const run = await db
      .selectFrom('evaluation_runs')
      .select(['id', 'gid', 'project_id', 'chatbot_id'])
      .where('id', '=', payload.run)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    // deleted with its chatbot, or finished by the process that had it before
    if (!run) return undefined
    const place = { projectId: run.project_id, chatbotId: run.chatbot_id }
    const asked = db
      .selectFrom('evaluation_results')
      .select('question_id')
      .where('run_id', '=', run.id)
      .where('project_id', '=', place.projectId)
    const questions = await questionsOf(db, place).where('question.id', 'not in', asked).execute()
    // one shared iterator: each worker takes the next question
    const left = questions.values()
    const askOn = async () => {
      for (const question of left) await ask(db, run, place, question)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askOn))
    await finishRun(db, place, run.id, context.clock())
    return undefined
  })

  async function ask(
    db: Db,
    run: { id: string; gid: string },
    place: { projectId: string; chatbotId: string },
    row: EvaluationRow,
  ): Promise<void> {
    const request = {
      place,
      question: row.question,
      before: row.kept?.before ?? [],
      key: `evaluation:${run.gid}:${row.gid}`,
      visitor: null,
      // actions are not carried out: recorded results replace them
      actions: { talk: null, writes: 'simulated' as const, recorded: row.kept?.actions ?? [] },
    }
    for await (const part of answering.answer(request)) {
      if (part.type !== 'answer') continue
      const result = judge(expectedOf(row), part)
      // a question deleted meanwhile gets no result
      const question = db
        .selectFrom('evaluation_questions')
        .where('id', '=', row.id)
        .where('project_id', '=', place.projectId)
        .select(({ val, cast }) => [
          cast<string>(val(run.id), 'bigint').as('run_id'),
          'id as question_id',
          'project_id',
          cast<boolean>(val(result.passed), 'boolean').as('passed'),
          cast<string | null>(val(result.problem), 'text').as('problem'),
          cast<string>(val(result.answer.replaceAll('\0', '')), 'text').as('answer'),
          cast<number | null>(val(result.rank), 'integer').as('rank'),
        ])
      await db
        .insertInto('evaluation_results')
        .columns(['run_id', 'question_id', 'project_id', 'passed', 'problem', 'answer', 'rank'])
        .expression(question)
        .onConflict((conflict) => conflict.columns(['run_id', 'question_id']).doNothing())
        .execute()
      await db
        .updateTable('evaluation_runs')
        .set({ model: part.answer.debug.model.name })
        .where('id', '=', run.id)
        .where('project_id', '=', place.projectId)
        .where('model', '=', '')
        .execute()
    }
  }
}

const expectedOf = ({
  words,
  source_gid,
  source_title,
  title_now,
  expects_unknown,
  kept,
}: EvaluationRow): Expected => ({
  words,
  source:
    source_gid === null
      ? null
      : { gid: source_gid, title: title_now ?? source_title ?? '', isThere: title_now !== null },
  unknown: expects_unknown,
  actions: kept?.actions ?? [],
})
