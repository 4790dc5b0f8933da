import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { createProgram, type Program } from '../../../engine/run/program'
import { coverageOf } from '../../../engine/run/recordingCoverage'
import type { Recording } from '../../../engine/run/recordingFormat'
import { differenceSides, placeNames } from '../../../engine/run/recordingPlaces'
import { replayRecording } from '../../../engine/run/recordingReplay'
import { trainClassifier } from '../../host/trainClassifier'
import type { TestResult } from './contract'

/** More than one reads of what no test reaches. */
const LISTED = 200
const MAX_TEXT = 2_000

/** Flows made ready to replay on, their intents trained. */
export async function programOf({ main, others }: ChatbotFlows, registry: Registry): Promise<Program> {
  const classify = await trainClassifier([main, ...others.map(({ flow }) => flow)], registry)
  return createProgram(main, registry, {
    flows: Object.fromEntries(others.map(({ id, flow }) => [id, flow])),
    classify,
  })
}

/** Replays tests one after the other; other requests have their turn in between. */
export async function replayTests(
  flows: ChatbotFlows,
  registry: Registry,
  tests: readonly { gid: string; recording: Recording }[],
) {
  const program = await programOf(flows, registry)
  const names = placeNames(flows, registry)
  const results: TestResult[] = []
  const conversations: Recording[] = []
  for (const { gid, recording } of tests) {
    const { differences, present } = replayRecording(program, recording)
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
