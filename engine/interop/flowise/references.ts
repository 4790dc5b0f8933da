import { isValuePath } from '../../values/valuePath'
import { type Fields, isFields, textOf } from '../fields'
import { MESSAGE, type Reference } from '../nodes/nodeGraph'

/** Names that `{{ … }}` may contain in this file. */
export interface FlowiseNames {
  /** each node's type name, by node id */
  types: ReadonlyMap<string, string>
  declared: ReadonlySet<string>
  start: string | null
  /** the outputs of models with structured output, by node id */
  structured: ReadonlyMap<string, ReadonlySet<string>>
  loops: readonly string[]
}

/** A node's default output. */
export const CONTENT = 'content'
/** The output that holds a model's structured object. */
export const STRUCTURED = 'values'

/** @param self the node that contains the reference, and the one that it is nested in */
export function resolveFlowise(
  written: unknown,
  names: FlowiseNames,
  self: { id: string; parent: string | null },
): Reference | null {
  // the rich text editor escapes underscores
  const text = bare(textOf(written))
  if (text === 'question') return { declared: MESSAGE }
  if (text === 'output') return contentOf(self.id, names)
  if (text === 'current_date_time') return { declared: 'current_date_time' }
  if (text === 'loop_count' && names.loops[0] !== undefined) return { declared: loopKey(names.loops[0]) }
  const [head = '', ...rest] = text.split(/[.[\]]/).filter((part) => part !== '')
  const [first = '', second = ''] = rest
  switch (head) {
    case '$form':
      return names.start === null ? { unknown: first } : { node: names.start, output: first, ...pathOf(rest.slice(1)) }
    case '$flow':
      if (first === 'state' && names.declared.has(stateKey(second)))
        return { declared: stateKey(second), ...pathOf(rest.slice(2)) }
      return first === 'chatId' || first === 'sessionId' ? { system: 'conversation_id' } : { unknown: rest.join(' ') }
    // a name of ours: a loop's counter
    case '$loop':
      return { declared: loopKey(first) }
    case '$iteration':
      return self.parent === null ? { unknown: 'item' } : { node: self.parent, output: 'item', ...pathOf(rest) }
    case '$vars':
    case '$webhook':
      return { unknown: rest.join(' ') }
    case 'chat_history':
      return { system: 'transcript' }
    case 'file_attachment':
    case 'runtime_messages_length':
    case 'loop_count':
      return { unknown: head }
  }
  if (!names.types.has(head)) return null
  if (first !== 'output' || rest.length === 1) return contentOf(head, names)
  return outputOf(head, rest.slice(1), names)
}

export const stateKey = (key: string): string => `state.${key}`
export const loopKey = (id: string): string => `loop.${id}`

function contentOf(id: string, { types }: FlowiseNames): Reference {
  return { node: id, output: types.get(id) === 'httpAgentflow' ? 'data' : CONTENT }
}

function outputOf(id: string, [first = '', ...rest]: string[], { structured }: FlowiseNames): Reference {
  if (first === 'http') return { node: id, output: rest[0] ?? 'data', ...pathOf(rest.slice(1)) }
  if (structured.get(id)?.has(first)) return { node: id, output: STRUCTURED, ...pathOf([first, ...rest]) }
  return { node: id, output: first, ...pathOf(rest) }
}

const bare = (written: string): string => written.replace(/\\/g, '').trim().slice(0, 500)

function pathOf(parts: readonly string[]): { path?: string } {
  const path = parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return path !== '' && isValuePath(path) ? { path } : {}
}

/** The contents of all braces in a node's texts. */
export function bracesIn(data: Fields): string[] {
  const found: string[] = []
  const open: unknown[] = [data]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string')
      for (const match of value.matchAll(/\{\{([^{}]{1,500})\}\}/g)) found.push(bare(match[1] ?? ''))
    else if (Array.isArray(value)) open.push(...value.filter((each) => each !== undefined))
    else if (isFields(value)) open.push(...Object.values(value).filter((each) => each !== undefined))
  }
  return found
}
