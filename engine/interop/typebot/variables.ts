import type { IdSource } from '../../flow/ids'
import { flowCaps, type Variable } from '../../flow/schema'
import type { Json } from '../../values/json'
import { clip, fieldsOf, textOf, toJson } from '../fields'
import type { ReportWriter } from '../report'
import type { TypebotFile } from './readTypebot'

export interface ImportedVariables {
  variables: Variable[]
  byId: (foreignId: string) => string | undefined
  /** by the name in the file's texts, not by the cleaned one */
  byName: (name: string) => string | undefined
  /**
   * creates a variable that a text names but the file lacks; null if the name is invalid or there is no room for more
   */
  make: (name: string) => string | null
  startWith: (variableId: string, value: Json) => void
  /** holds a list initially, or has values appended */
  isList: (foreignId: string) => boolean
}

/**
 * The file's variables with valid (SPEC.md 5: letters, digits, underscore and space; at most 50 characters) and unique
 * names. Changed names are noted; texts still find their variable by the old one.
 */
export function importVariables(file: TypebotFile, ids: IdSource, report: ReportWriter): ImportedVariables {
  const byId = new Map<string, string>()
  const byName = new Map<string, string>()
  const freeName = createNames()
  const variables = file.variables.map(({ id: foreignId, name, value }): Variable => {
    const id = ids()
    if (foreignId && !byId.has(foreignId)) byId.set(foreignId, id)
    if (name.trim() && !byName.has(name.trim())) byName.set(name.trim(), id)
    const ours = freeName(name)
    if (ours !== name) report.note('info', undefined, `The variable '${clip(name, 80)}' is called '${ours}' here.`)
    return { id, name: ours, value: toJson(value) }
  })
  const lists = new Set(file.variables.filter(({ value }) => Array.isArray(value)).map(({ id }) => id))
  for (const { fields } of file.groups.flatMap(({ blocks }) => blocks)) {
    const { type, variableId } = fieldsOf(fields.options)
    if (type === 'Append value(s)') lists.add(textOf(variableId))
  }
  const byOurId = new Map(variables.map((variable) => [variable.id, variable]))
  return {
    variables,
    byId: (foreignId) => byId.get(foreignId),
    byName: (name) => byName.get(name),
    isList: (foreignId) => lists.has(foreignId),
    make(name) {
      if (!NAME.test(name) || name.length > flowCaps.variableName || variables.length >= flowCaps.variables) return null
      const variable = { id: ids(), name: freeName(name), value: null }
      variables.push(variable)
      byOurId.set(variable.id, variable)
      byName.set(name, variable.id)
      return variable.id
    },
    startWith(variableId, value) {
      const variable = byOurId.get(variableId)
      if (variable && variable.value === null) variable.value = value
    },
  }
}

const NAME = /^[\p{L}\p{M}\p{N}_ ]+$/u

/** Caches the last number per name, since a file may give all its variables the same name. */
export function createNames(): (name: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const clean = clip(name, 10 * flowCaps.variableName).replace(/[^\p{L}\p{M}\p{N}_ ]/gu, '')
    const base = clip(clean.trim(), flowCaps.variableName).trim() || 'Variable'
    for (let number = counts.get(base) ?? 1; ; number++) {
      const suffix = number === 1 ? '' : ` ${number}`
      const candidate = clip(base, flowCaps.variableName - suffix.length).trimEnd() + suffix
      counts.set(base, number + 1)
      if (taken.has(candidate)) continue
      taken.add(candidate)
      return candidate
    }
  }
}
