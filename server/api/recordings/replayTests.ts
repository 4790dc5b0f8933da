import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { coverageOf } from '../../../engine/run/recordingCoverage'
import type { Recording } from '../../../engine/run/recordingFormat'
import { differenceSides, placeNames } from '../../../engine/run/recordingPlaces'
import type { Host } from '../../host/createHost'
import type { Replay } from '../../host/replays'
import type { TestResult } from './contract'

/** More than one reads of what no test reaches. */
const LISTED = 200
const MAX_TEXT = 2_000

/** Flows made ready to replay on, their intents trained. */
export const replayOn = (host: Host, projectId: string, { main, others }: ChatbotFlows): Promise<Replay> =>
  host.replays(projectId, main, Object.fromEntries(others.map(({ id, flow }) => [id, flow])))

/** Replays tests one after the other; other requests have their turn in between. */
export async function replayTests(
  flows: ChatbotFlows,
  registry: Registry,
  replay: Replay,
  tests: readonly { gid: string; recording: Recording }[],
) {
  const names = placeNames(flows, registry)
  const results: TestResult[] = []
  const conversations: Recording[] = []
  for (const { gid, recording } of tests) {
    const { differences, present } = await replay(recording)
    conversations.push(present)
    const turn = differences.findIndex(Boolean)
    const first = differences[turn]
    const [expected = '', actual = ''] = first ? differenceSides(first, names).map(cut) : []
    const place = first?.place ? { ...first.place, name: names(first.place) } : null
    results.push({
      gid,
      name: recording.name,
      difference: first ? { turn, type: first.type, place, expected, actual } : null,
    })
    await setImmediate()
  }
  const { unreached, ...shares } = coverageOf(flows, registry, conversations)
  const listed = unreached.slice(0, LISTED).map((place) => ({ ...place, name: names(place) }))
  return { results, coverage: { ...shares, unreached: listed } }
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
