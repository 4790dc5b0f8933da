import * as Y from 'yjs'
import type { Flow } from '../flow/schema'
import type { FlowCommands } from './commands'
import { blockOfKey, keptVariable, type Roots } from './shape'

/** A named undo step. Plain data: the interface has the texts. */
export interface UndoStep {
  readonly code: StepCode
  /** number of groups, blocks, edges or variables */
  readonly count: number
  /** the kind of the (first) block changed */
  readonly kind?: string
  /** the title of the (first) group, or the name of the variable, at that time */
  readonly name?: string
  /** the block or group changed, while it exists */
  readonly blockId?: string
  readonly groupId?: string
  /** ms since 1970; absent without a clock */
  readonly at?: number
}

export type StepCode = Exclude<keyof FlowCommands, 'batch' | 'typing'> | 'type' | 'other'

/** A recorded call of a command. */
export interface Call {
  name: Exclude<keyof FlowCommands, 'batch' | 'typing'>
  args: readonly unknown[]
}

/** The done steps of this document's user, oldest first, and the undone ones, last undone first. */
export interface UndoHistory {
  readonly done: readonly UndoStep[]
  readonly undone: readonly UndoStep[]
}

/** Names a step after the commands that made it; typing into a text calls none. */
export function nameStep(
  calls: readonly Call[],
  changed: ReadonlyMap<unknown, unknown>,
  roots: Roots,
  clock?: () => number,
): UndoStep {
  const step = calls.length > 0 ? stepOf(calls, roots) : typedIn(changed, roots)
  return clock ? { ...step, at: clock() } : step
}

const UNKNOWN: UndoStep = { code: 'other', count: 1 }

/**
 * Which command names a step of several, most informative first: a pasted group counts as "added", although it is
 * connected too.
 */
const telling: readonly Call['name'][] = [
  'replaceFlow',
  'insertFlow',
  'addGroup',
  'addBlock',
  'moveBlock',
  'deleteGroups',
  'deleteBlocks',
  'moveGroups',
  'connect',
  'disconnect',
  'setGroupTitle',
  'setRichText',
  'setBlockData',
  'setTranslation',
  'setLanguages',
  'addVariable',
  'updateVariable',
  'deleteVariable',
]

function stepOf(calls: readonly Call[], roots: Roots): UndoStep {
  const code = telling.find((name) => calls.some((call) => call.name === name))
  if (!code) return UNKNOWN
  const own = calls.filter(({ name }) => name === code)
  const things = own.flatMap((call) => thingsOf(call, roots))
  // a step may set the same block's data several times
  const distinct = new Set(things.map(({ blockId, groupId, name }) => blockId ?? groupId ?? name))
  return { ...things[0], code, count: Math.max(distinct.size, 1) }
}

type Thing = Pick<UndoStep, 'kind' | 'name' | 'blockId' | 'groupId'>

function thingsOf({ name, args }: Call, roots: Roots): Thing[] {
  const block = (id: string): Thing => ({ blockId: id, ...present('kind', roots.blocks.get(id)) })
  const group = (id: string): Thing => ({ groupId: id, ...present('name', roots.groups.get(id), 'title') })
  const [first] = args as [never]
  switch (name) {
    case 'addGroup': {
      const { id, title, blocks } = first as { id: string; title: string; blocks: { id: string; kind: string }[] }
      const [only, ...more] = blocks
      return [{ groupId: id, name: title, ...(only && more.length === 0 && { kind: only.kind, blockId: only.id }) }]
    }
    case 'addBlock':
      return [block((args[2] as { id: string }).id)]
    case 'moveGroups':
      return (first as { groupId: string }[]).map(({ groupId }) => group(groupId))
    case 'deleteGroups':
      return (first as string[]).map(group)
    case 'setGroupTitle':
      return [{ ...group(first), name: args[1] as string }]
    case 'deleteBlocks':
      return (first as string[]).map(block)
    case 'moveBlock':
    case 'setBlockData':
    case 'setRichText':
    case 'setTranslation':
      return [block(first)]
    case 'setLanguages':
      return [{}]
    case 'connect':
      return [block((first as { blockId: string }).blockId)]
    case 'disconnect':
      return (first as { blockId: string; portId: string }[]).map(({ blockId }) => block(blockId))
    case 'addVariable':
      return [{ name: (first as { name: string }).name }]
    case 'updateVariable':
    case 'deleteVariable': {
      const variable = keptVariable(roots, first)
      return [variable ? { name: variable.name } : {}]
    }
    case 'insertFlow':
    case 'replaceFlow':
      return (first as Flow).groups.map(({ id, title }) => ({ groupId: id, name: title }))
  }
}

function present(key: 'kind' | 'name', map: unknown, stored: string = key): Thing {
  const value = map instanceof Y.Map ? map.get(stored) : undefined
  return typeof value === 'string' ? { [key]: value } : {}
}

/** Typing bypasses the commands (slate-yjs): the changed text is taken from the Yjs event. */
function typedIn(changed: ReadonlyMap<unknown, unknown>, roots: Roots): UndoStep {
  for (const type of changed.keys()) {
    const key = type instanceof Y.XmlText && type.parent === roots.texts ? type._item?.parentSub : null
    if (!key) continue
    const blockId = blockOfKey(key)
    return { code: 'type', count: 1, blockId, ...present('kind', roots.blocks.get(blockId)) }
  }
  return UNKNOWN
}
