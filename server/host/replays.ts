import type { Flow } from '../../engine/flow/schema'
import { createClassifier } from '../../engine/intents/createClassifier'
import { createProgramInSteps } from '../../engine/run/program'
import type { Recording } from '../../engine/run/recordingFormat'
import { type Replayed, replayRecording } from '../../engine/run/recordingReplay'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import { inSlices } from './inSlices'
import { learnIntents } from './trainClassifier'
import type { TurnThreads } from './turnThreads'

/** Has a recorded conversation again. Throws conflict when that takes too long, overloaded when too many wait. */
export type Replay = (recording: Recording) => Promise<Replayed>

/** Recorded conversations had again, in threads where there are some: a test has up to a thousand turns. */
export function createReplays({ registry, ids }: Pick<ServerContext, 'registry' | 'ids'>, threads: TurnThreads) {
  /** Makes a chatbot's flows ready to replay on. */
  return async (projectId: string, main: Flow, flows: Readonly<Record<string, Flow>>): Promise<Replay> => {
    const model = await learnIntents([main, ...Object.values(flows)], registry)
    if (!threads.present) {
      const program = await inSlices(
        createProgramInSteps(main, registry, { flows, classify: model && createClassifier(model) }),
      )
      return async (recording) => replayRecording(program, recording)
    }
    const key = `replay/${ids()}`
    const source = async () => ({
      flow: JSON.stringify(main),
      flows: JSON.stringify(flows),
      model,
      asksMeaning: false,
    })
    return async (recording) => {
      const replayed = await threads.replay(projectId, key, recording, source)
      if (replayed) return replayed
      throw new ApiError('conflict', {
        message: `“${recording.name}” takes too long to replay: its turns take too much work. Make the flow do less in a turn, or keep a shorter conversation.`,
      })
    }
  }
}
