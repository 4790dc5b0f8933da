import type { ServerContext } from '../../../platform/context'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import type { Sweep } from '../../../platform/jobs/sweeps'
import type { Knowledge } from '../knowledge'
import { dispatch, train } from './dispatch'
import type { Readers } from './readSource'
import { renewRecords } from './renewRecords'
import { requeueLost } from './requeueLost'
import { resyncDue } from './resyncDue'
import { calibrate, scheduleCalibration } from './scheduleCalibration'
import { tellTrained } from './tellTrained'
import { trainRun } from './trainRun'

const MINUTE = 60_000
/** Concurrent runs in this process, of all projects: other jobs must find room. */
const AT_ONCE = 5
/** ms after which a run without room is tried again. */
const AGAIN = 250

export interface Training {
  jobs: readonly HandledJob[]
  sweeps: readonly Sweep[]
}

/** Creates the handler of training runs. */
export function createTraining(
  context: ServerContext,
  readers: Readers,
  knowledge: Pick<Knowledge, 'calibrate'>,
): Training {
  const { clock } = context
  let running = 0

  const trained = train.handledBy(async ({ run }, { projectId }) => {
    if (projectId === null) return undefined
    if (running >= AT_ONCE) return new Date(clock().getTime() + AGAIN)
    running++
    try {
      const db = context.db.forProject(projectId)
      const chatbots = await trainRun({ ...context, db }, readers, run)
      await db.transaction().execute(async (trx) => {
        for (const chatbotId of chatbots) await scheduleCalibration(context, trx, { projectId, chatbotId })
        await dispatch(context, trx, projectId)
      })
    } finally {
      running--
    }
    context.jobs.wake()
    return undefined
  })

  const calibrated = calibrate.handledBy(async ({ chatbot }, { projectId }) => {
    const place = { projectId: projectId ?? '', chatbotId: chatbot }
    await knowledge.calibrate(place)
    await tellTrained(context, place)
    return undefined
  })

  return {
    jobs: [trained, calibrated],
    sweeps: [
      { kind: 'requeue-lost-training', every: MINUTE, sweep: () => requeueLost(context) },
      { kind: 'renew-passage-records', every: 5 * MINUTE, sweep: () => renewRecords(context) },
      { kind: 'resync-sources', every: 15 * MINUTE, sweep: () => resyncDue(context) },
    ],
  }
}
