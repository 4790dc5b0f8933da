import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../../engine/flow/schema'
import type { Difference } from '../../../../engine/run/recordingCompare'
import { coverageOf } from '../../../../engine/run/recordingCoverage'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { differenceSides, placeNames } from '../../../../engine/run/recordingPlaces'
import type { TestResult } from '../../../contracts/recordings'

/** The most places listed that no test reaches. */
const LISTED = 200
const MAX_TEXT = 2_000

/** The result of replaying a test. */
export interface TestReplay {
  gid: string
  name: string
  /** the first turn that differs; null: none */
  first: { turn: number; difference: Difference } | null
  present: Recording
}

/** A report on tests replayed on a chatbot's flows, with their coverage. */
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
