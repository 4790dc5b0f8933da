import type { Registry } from '../flow/registry'
import { secretLabel, secretNameOf } from '../values/secrets'
import { findSystemVariable } from '../values/systemVariables'
import type { Diagnostic, PathStep, Place, Reason, Value } from './diagnostic'
import type { FlowOutline } from './outline'
import { problemTexts, type ReasonCode, reasonTexts } from './texts'
import type { FlowView } from './view'

/** Looks up display names of a flow's parts; undefined if a part no longer exists. */
export interface Names {
  block(blockId: string): string | undefined
  group(groupId: string): string | undefined
  port(blockId: string, portId: string): string | undefined
  variable(variableId: string): string | undefined
  flow(flowId: string): string | undefined
}

/**
 * The names of a flow in its present state.
 * @param titleOf returns a kind's title; default: its English title
 */
export function namesOf(
  { groups, blocks, variables }: FlowView,
  registry: Registry,
  others: readonly FlowOutline[] = [],
  titleOf: (kind: string) => string = (kind) => registry.find(kind)?.title ?? kind,
): Names {
  return {
    block(blockId) {
      const block = blocks.get(blockId)
      return block && titleOf(block.kind)
    },
    group: (groupId) => groups.get(groupId)?.title,
    port(blockId, portId) {
      const block = blocks.get(blockId)
      return block && registry.portsOf(block).find(({ id }) => id === portId)?.label
    },
    variable: (variableId) => {
      const secret = secretNameOf(variableId)
      if (secret !== null) return secretLabel(secret)
      return (variables.find(({ id }) => id === variableId) ?? findSystemVariable(variableId))?.name
    },
    flow: (flowId) => others.find(({ id }) => id === flowId)?.title,
  }
}

/** A diagnostic in one English sentence. */
export function describeDiagnostic(diagnostic: Diagnostic, names: Names): string {
  return fill(problemTexts[diagnostic.code][1], problemValues(diagnostic, names))
}

type Words = Record<string, string>
const fill = (text: string, words: Words) => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => words[key] ?? '…')
const inEnglish = (code: ReasonCode, words: Words) => fill(reasonTexts[code], words)

/**
 * The values for the `{{placeholders}}` of a diagnostic's text; translations have the same placeholders.
 * @param say turns a reason into words; default: English
 */
export function problemValues({ place, values }: Diagnostic, names: Names, say = inEnglish): Words {
  const named = Object.entries(values).map(([key, value]) => [key, wordOf(value, names, say)])
  return { ...placeWords(place, names), ...Object.fromEntries(named) }
}

function placeWords({ groupId, blockId, portId, variableId, path }: Place, names: Names): Record<string, string> {
  return {
    ...(groupId !== undefined && { group: titleOr(names.group(groupId), '') }),
    ...(blockId !== undefined && { block: names.block(blockId) ?? '…' }),
    ...(blockId !== undefined && portId !== undefined && { port: `“${names.port(blockId, portId) ?? portId}”` }),
    ...(variableId !== undefined && { variable: names.variable(variableId) ?? '…' }),
    ...(path !== undefined && { field: path }),
  }
}

function wordOf(value: Value, names: Names, say: typeof inEnglish): string {
  if (typeof value !== 'object') return String(value)
  if ('because' in value) return say(value.because, reasonWords(value, names))
  if ('group' in value) return titleOr(names.group(value.group), '…')
  if ('block' in value) return names.block(value.block) ?? '…'
  if ('variable' in value) return names.variable(value.variable) ?? '…'
  if ('flow' in value) return names.flow(value.flow) ?? '…'
  return pathWord(value.steps, names)
}

const pathWord = (steps: readonly PathStep[], names: Names) => steps.map((step) => stepWord(step, names)).join(' → ')

const reasonWords = ({ times, blockId, steps }: Reason, names: Names): Words => ({
  ...(times !== undefined && { times: TIMES[times] ?? `${times} times` }),
  ...(blockId !== undefined && { block: names.block(blockId) ?? '…' }),
  ...(steps && { path: pathWord(steps, names) }),
})
const TIMES = ['never', 'once', 'twice', 'three times', 'four times', 'five times', 'six times']

/** A step is named by its group, and by its exit if that has a name. */
function stepWord({ groupId, blockId, portId }: PathStep, names: Names): string {
  const name = titleOr(names.group(groupId), names.block(blockId) ?? '…')
  const port = portId === undefined ? undefined : names.port(blockId, portId)
  return port === undefined ? name : `${name} (${port})`
}

const titleOr = (title: string | undefined, other: string) => (title?.trim() ? title : other)
