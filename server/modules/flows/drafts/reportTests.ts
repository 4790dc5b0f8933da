import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../../engine/flow/schema'
import type { Difference } from '../../../../engine/run/recordingCompare'
import { coverageOf } from '../../../../engine/run/recordingCoverage'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { differenceSides, placeNames } from '../../../../engine/run/recordingPlaces'
import type { TestResult } from '../../../contracts/recordings'

/** More than one reads of what no test reaches. */
const LISTED = 200
const MAX_TEXT = 2_000

/** What came of a test that was had again. */
export interface TestReplay {
  gid: string
  name: string
  /** the first turn that went another way; null: none did */
  first: { turn: number; difference: Difference } | null
  present: Recording
}

/** What is said of tests that were had again on a chatbot's flows, and how much of these they go through. */
export function reportTests(flows: ChatbotFlows, registry: Registry, replays: readonly TestReplay[]) {
  const names = placeNames(flows, registry)
  const results = replays.map(({ gid, name, first }): TestResult => {
    if (!first) return { gid, name, difference: null }
    const { type, place } = first.difference
    const [expected = '', actual = ''] = differenceSides(first.difference, names).map(cut)
    const named = place ? { ...place, name: names(place) } : null
    return { gid, name, difference: { turn: first.turn, type, place: named, expected, actual } }
  })
  const { unreached, ...shares } = coverageOf(
    flows,
    registry,
    replays.map(({ present }) => present),
  )
  const listed = unreached.slice(0, LISTED).map((place) => ({ ...place, name: names(place) }))
  return { results, coverage: { ...shares, unreached: listed } }
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
