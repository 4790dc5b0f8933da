import { useMemo, useRef } from 'react'
import type { Projection } from '../../../engine/document/commands'
import type { Registry } from '../../../engine/flow/registry'
import { printMarkup } from '../../../engine/translations/markup'
import type { TranslationState } from '../../../engine/translations/state'
import { lostInRow, stateOfRow, type TextRow, textRows, translationOf } from '../../../engine/translations/textRows'
import { type VariableNames, variableNamesOf } from '../../../engine/translations/variableNames'
import type { OpenFlow } from '../../collab/flowState'

/** An open flow of the chatbot. */
export interface OpenedFlow {
  fid: string
  title: string
  isMain: boolean
  open: OpenFlow
}

/** A text of one of the flows. */
export interface ListedText {
  /** unique among all flows */
  key: string
  flow: OpenedFlow
  /** null: it has no title */
  group: string | null
  row: TextRow
  names: VariableNames
}

export const filters = ['all', 'missing', 'outdated', 'machine', 'lost'] as const
export type Filter = (typeof filters)[number]

export interface Wanted {
  search: string
  filter: Filter
  /** null: all */
  fid: string | null
  languages: readonly string[]
}

/** All texts of the flows, in the order of the flows and of their canvases. */
export function useTexts(flows: readonly OpenedFlow[], projections: readonly Projection[], registry: Registry) {
  return useMemo(
    () =>
      flows.flatMap((flow, at): ListedText[] => {
        const projection = projections[at]
        if (!projection) return []
        const names = variableNamesOf(projection.variables)
        return textRows(projection, registry).map((row) => ({
          key: `${flow.fid}/${row.id}`,
          flow,
          group: projection.groups.get(row.block.groupId)?.title.trim() || null,
          row,
          names,
        }))
      }),
    [flows, projections, registry],
  )
}

/**
 * The texts that match a search or filter. A match stays when its translation is edited: otherwise it would disappear
 * while the user types. The search runs again when it changes, and when texts are added or deleted.
 */
export function useFound(texts: readonly ListedText[], wanted: Wanted): readonly ListedText[] {
  const keys = texts.map(({ key }) => key).join('\n')
  const last = useRef<{ keys: string; wanted: Wanted; found: ReadonlySet<string> }>(null)
  if (last.current?.keys !== keys || last.current.wanted !== wanted) {
    const found = new Set(texts.filter((text) => isWanted(text, wanted)).map(({ key }) => key))
    last.current = { keys, wanted, found }
  }
  const { found } = last.current
  return useMemo(() => texts.filter(({ key }) => found.has(key)), [texts, found])
}

function isWanted({ flow, group, row, names }: ListedText, { search, filter, fid, languages }: Wanted): boolean {
  if (fid !== null && flow.fid !== fid) return false
  if (filter !== 'all' && !languages.some((language) => isLike(row, language, filter))) return false
  const sought = search.trim().toLowerCase()
  if (sought === '') return true
  const has = (text: string) => text.toLowerCase().includes(sought)
  if (has(group ?? '') || has(printMarkup(row.text, names.nameOf))) return true
  return languages.some((language) => {
    const translation = translationOf(row, language)
    return translation !== undefined && has(printMarkup(translation.text, names.nameOf))
  })
}

const isLike = (row: TextRow, language: string, filter: Exclude<Filter, 'all'>): boolean =>
  filter === 'lost' ? lostInRow(row, language).length > 0 : stateOfRow(row, language) === filter

export type Counts = Record<TranslationState, number>

/** The number of a language's texts in each state. */
export function countStates(texts: readonly ListedText[], language: string): Counts {
  const counts: Counts = { missing: 0, outdated: 0, machine: 0, done: 0 }
  for (const { row } of texts) counts[stateOfRow(row, language)] += 1
  return counts
}
