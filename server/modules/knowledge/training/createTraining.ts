import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import { createJobs } from '../../../platform/jobs/createJobs'
import { sweepRegularly } from '../../../platform/jobs/sweeps'
import type { Knowledge } from '../knowledge'
import { dispatch, TRAIN } from './dispatch'
import type { Readers } from './readSource'
import { requeueLost } from './requeueLost'
import { resyncDue } from './resyncDue'
import { CALIBRATE, scheduleCalibration } from './scheduleCalibration'
import { trainRun } from './trainRun'

const MINUTE = 60_000
/** Runs of all projects at once in this process: other jobs always find room. */
const AT_ONCE = 5
/** A run that finds no room comes again then. */
const AGAIN = 250

const runPayload = z.strictObject({ run: z.string() })
const placePayload = z.strictObject({ chatbot: z.string() })

export interface Training {
  /** Begins what is looked after from time to time. */
  schedule(): Promise<void>
}

/** Says how runs of training are carried out, in this process as in any other. Once for a context. */
export function createTraining(
  context: ServerContext,
  readers: Readers,
  knowledge: Pick<Knowledge, 'calibrate'>,
): Training {
  const { db, clock } = context
  const jobs = createJobs(context)
  let running = 0

  jobs.handle(TRAIN, async (payload, { projectId }) => {
    if (running >= AT_ONCE) return new Date(clock().getTime() + AGAIN)
    running++
    try {
      const chatbots = await trainRun(context, readers, runPayload.parse(payload).run)
      await db.transaction().execute(async (trx) => {
        for (const chatbotId of chatbots)
          await scheduleCalibration(context, trx, { projectId: projectId ?? '', chatbotId })
        await dispatch(context, trx, projectId ?? '')
      })
    } finally {
      running--
    }
    jobs.wake()
    return undefined
  })

  jobs.handle(CALIBRATE, async (payload, { projectId }) => {
    await knowledge.calibrate({ projectId: projectId ?? '', chatbotId: placePayload.parse(payload).chatbot })
    return undefined
  })

  const sweeps = sweepRegularly(context, jobs, [
    { kind: 'requeue-lost-training', every: MINUTE, sweep: () => requeueLost(context) },
    { kind: 'resync-sources', every: 15 * MINUTE, sweep: () => resyncDue(context) },
  ])
  return { schedule: () => sweeps.schedule() }
}
