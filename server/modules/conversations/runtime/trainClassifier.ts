import type { Registry } from '../../../../engine/flow/registry'
import type { Flow } from '../../../../engine/flow/schema'
import type { Classifier } from '../../../../engine/intents/classifier'
import { createClassifier } from '../../../../engine/intents/createClassifier'
import { intentsOf } from '../../../../engine/intents/intentsOf'
import { type IntentExamples, type IntentModel, trainIntentsInSteps } from '../../../../engine/intents/trainIntents'
import { ApiError } from '../../../platform/errors'
import { inSlices } from '../../../platform/jobs/inSlices'
import type { RunTask } from '../../../platform/workers/createThreads'
import { TaskError } from '../../../platform/workers/taskError'
import { loadFindMeaning } from '../../knowledge/meaning/findMeaning'
import { trainIntents } from './tasks'

/**
 * Fewer phrases than this are trained in this thread, in slices of some milliseconds: starting a worker would take as
 * long.
 */
const FEW = 60
/**
 * Limits of training: 150 intents of 50 phrases, the largest set measured, take 12 s on a quiet machine. Two
 * threads, so that one project
 * never occupies both.
 */
export const TRAINING = { threads: 2, timeMs: 180_000, heapMb: 512 }

/** Trains a classifier on the intents of a chatbot's flows. @returns null when there are no intents */
export async function trainClassifier(flows: readonly Flow[], registry: Registry): Promise<Classifier | null> {
  const model = await learnIntents(intentsOf(flows, registry))
  return classifierOf(model)
}

/** The classifier of a trained model; null: there are no intents. */
export const classifierOf = async (model: IntentModel | null): Promise<Classifier | null> =>
  model && createClassifier(model, await loadFindMeaning())

/**
 * Like `trainClassifier`, from intents as plain data that can be sent to a worker thread.
 * @param thread where many phrases are trained, with the project they are counted for
 * @throws ApiError too_large when training exceeds the limit of time or memory
 */
export async function learnIntents(
  intents: readonly IntentExamples[],
  thread?: { run: RunTask; owner: string },
): Promise<IntentModel | null> {
  const phrases = intents.reduce((sum, each) => sum + each.phrases.length, 0)
  if (phrases === 0) return null
  if (!thread || phrases < FEW) return inSlices(trainIntentsInSteps(intents, await loadFindMeaning()))
  return thread.run(trainIntents, intents, { owner: thread.owner }).catch((error: unknown) => {
    if (!(error instanceof TaskError) || error.fault === 'failed' || error.fault === 'lost') throw error
    throw new ApiError('too_large', {
      message: 'The flow has more phrases than can be learnt. Use fewer.',
      cause: error,
    })
  })
}
