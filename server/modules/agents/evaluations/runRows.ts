import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import type { EvaluationRun } from '../../../contracts/evaluations'
import type { Database } from '../../../platform/database/tables'
import { defineJob } from '../../../platform/jobs/defineJob'
import type { KnowledgePlace } from '../../knowledge/knowledge'

/** The job of a run; its key is the run's gid. */
export const evaluationRun = defineJob('evaluation-run', z.strictObject({ run: z.string() }))
/** Only a chatbot's newest runs are kept. */
const RUNS_KEPT = 20

/** The chatbot's runs, newest first. One whose job is gone for good counts as ended although it did not finish. */
export async function runsOf(db: Kysely<Database>, { projectId, chatbotId }: KnowledgePlace): Promise<EvaluationRun[]> {
  const rows = await db
    .selectFrom('evaluation_runs as run')
    .select(({ selectFrom, exists, fn }) => [
      'run.gid',
      'run.created_at',
      'run.model',
      'run.after_training',
      'run.total',
      'run.finished_at',
      'run.passed',
      exists(
        selectFrom('jobs')
          .select('jobs.id')
          .where('jobs.kind', '=', evaluationRun.kind)
          .whereRef('jobs.key', '=', 'run.gid')
          .where('jobs.failed_at', 'is', null),
      ).as('has_job'),
      selectFrom('evaluation_results')
        .select(fn.countAll<string>().as('count'))
        .whereRef('run_id', '=', 'run.id')
        .as('done'),
      selectFrom('evaluation_results')
        .select(fn.countAll<string>().as('count'))
        .whereRef('run_id', '=', 'run.id')
        .where('evaluation_results.passed', '=', true)
        .as('passed_so_far'),
    ])
    .where('run.project_id', '=', projectId)
    .where('run.chatbot_id', '=', chatbotId)
    .orderBy('run.id', 'desc')
    .limit(RUNS_KEPT)
    .execute()
  return rows.map(
    ({ gid, created_at, model, after_training, total, passed, finished_at, has_job, done, passed_so_far }) => ({
      gid,
      at: created_at.toISOString(),
      model,
      after_training,
      passed: finished_at ? passed : Number(passed_so_far),
      total,
      done: finished_at ? total : Number(done),
      running: finished_at === null && Boolean(has_job),
    }),
  )
}

/** Stores a run's score: later changes of questions don't affect it. */
export async function finishRun(
  db: Kysely<Database>,
  { projectId }: KnowledgePlace,
  runId: string,
  at: Date,
): Promise<void> {
  const results = db
    .selectFrom('evaluation_results')
    .where('run_id', '=', runId)
    .where('evaluation_results.project_id', '=', projectId)
  await db
    .updateTable('evaluation_runs')
    .set(({ fn }) => ({
      finished_at: at,
      total: results.select(fn.countAll<number>().as('count')),
      passed: results.where('passed', '=', true).select(fn.countAll<number>().as('count')),
    }))
    .where('id', '=', runId)
    .where('evaluation_runs.project_id', '=', projectId)
    .execute()
}

export const forgetOldRuns = (trx: Transaction<Database>, { projectId, chatbotId }: KnowledgePlace) =>
  trx
    .deleteFrom('evaluation_runs')
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('evaluation_runs as kept')
        .select('kept.id')
        .where('kept.project_id', '=', projectId)
        .where('kept.chatbot_id', '=', chatbotId)
        .orderBy('kept.id', 'desc')
        .limit(RUNS_KEPT),
    )
    .execute()
