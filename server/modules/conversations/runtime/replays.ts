import type { Flow } from '../../../../engine/flow/schema'
import type { IntentExamples } from '../../../../engine/intents/trainIntents'
import { createProgramInSteps } from '../../../../engine/run/program'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { type Replayed, replayRecording } from '../../../../engine/run/recordingReplay'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { inSlices } from '../../../platform/jobs/inSlices'
import type { RunTask } from '../../../platform/workers/createThreads'
import type { StoredVersion } from '../../flows/drafts/versionTasks'
import { classifierOf, learnIntents } from './trainClassifier'
import type { TurnThreads } from './turnThreads'

/**
 * Replays a recorded conversation. @throws ApiError conflict when that takes too long, overloaded when too many wait
 */
export type Replay = (recording: Recording) => Promise<Replayed>

/** Replays recorded conversations, in worker threads if there are any: a test has up to a thousand turns. */
export function createReplays(
  { registry, ids }: Pick<ServerContext, 'registry' | 'ids'>,
  threads: TurnThreads,
  train: RunTask,
) {
  /** Prepares a chatbot's flows for replays, with the examples that their intents are trained on. */
  return async (projectId: string, version: StoredVersion, intents: readonly IntentExamples[]): Promise<Replay> => {
    const model = await learnIntents(intents, { run: train, owner: projectId })
    if (!threads.present) {
      const flows = JSON.parse(version.flows) as Record<string, Flow>
      const classify = await classifierOf(model)
      const program = await inSlices(createProgramInSteps(JSON.parse(version.flow), registry, { flows, classify }))
      return async (recording) => replayRecording(program, recording)
    }
    const key = `replay/${ids()}`
    const source = async () => ({ ...version, model, asksMeaning: false })
    return async (recording) => {
      const replayed = await threads.replay(projectId, key, recording, source)
      if (replayed) return replayed
      throw new ApiError('conflict', {
        message: `“${recording.name}” takes too long to replay: its turns take too much work. Make the flow do less in a turn, or keep a shorter conversation.`,
      })
    }
  }
}
