import { setImmediate } from 'node:timers/promises'
import type { Recording } from '../../../../engine/run/recordingFormat'
import type { Replay } from '../../conversations/runtime/replays'
import type { TestReplay } from '../../flows/drafts/reportTests'

/** Replays tests one after another, with pauses for other requests. */
export async function replayTests(
  replay: Replay,
  tests: readonly { gid: string; recording: Recording }[],
): Promise<TestReplay[]> {
  const replays: TestReplay[] = []
  for (const { gid, recording } of tests) {
    const { differences, present } = await replay(recording)
    const turn = differences.findIndex(Boolean)
    const difference = differences[turn]
    replays.push({ gid, name: recording.name, first: difference ? { turn, difference } : null, present })
    await setImmediate()
  }
  return replays
}
