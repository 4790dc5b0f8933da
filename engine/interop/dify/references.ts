import { isValuePath } from '../../values/valuePath'
import { type Fields, fieldsOf, isFields, listOf, stringOf, textOf } from '../fields'
import { MESSAGE, type Reference } from '../nodes/nodeGraph'

/** `{{#node.output#}}` in a text. */
const IN_TEXT = /\{\{#([^{}#]{1,500})#\}\}/g

const SYSTEM: Readonly<Record<string, Reference>> = {
  query: { declared: MESSAGE },
  dialogue_count: { declared: 'sys.dialogue_count' },
  user_id: { system: 'user_id' },
  conversation_id: { system: 'conversation_id' },
}

/**
 * Resolves a selector (`["node", "output", "part"]`) or the inside of `{{#node.output.part#}}`.
 * @param written a list, or a text with or without the delimiters
 */
export function resolveDify(
  written: unknown,
  { nodes, declared, context }: { nodes: ReadonlySet<string>; declared: ReadonlySet<string>; context: unknown },
): Reference | null {
  const [head = '', ...rest] = selectorOf(written)
  const [first = '', ...parts] = rest
  if (head === 'context' && rest.length === 0)
    return context === undefined
      ? { unknown: 'context' }
      : resolveDify(context, { nodes, declared, context: undefined })
  if (rest.length === 0) return null
  if (head === 'sys') return Object.hasOwn(SYSTEM, first) ? (SYSTEM[first] ?? null) : { unknown: `sys ${first}` }
  if (head === 'env' || head === 'conversation') {
    const key = `${head}.${first}`
    return declared.has(key) ? { declared: key, ...pathOf(parts) } : { unknown: first }
  }
  if (!nodes.has(head)) return { unknown: rest.join(' ') }
  // a group of an aggregator has its own outputs
  return parts[0] === 'output' && first !== 'output'
    ? { node: head, output: `${first}.output`, ...pathOf(parts.slice(1)) }
    : { node: head, output: first, ...pathOf(parts) }
}

export function selectorOf(written: unknown): string[] {
  if (Array.isArray(written)) return written.slice(0, 20).map(textOf)
  const text = textOf(written).trim()
  const bare = /^(?:\{\{)?#([^#]*)#(?:\}\})?$/.exec(text)?.[1]
  return bare === undefined ? [] : bare.trim().split('.').slice(0, 20)
}

function pathOf(parts: readonly string[]): { path?: string } {
  const path = parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return path !== '' && isValuePath(path) ? { path } : {}
}

/** The selectors in a node's data, in texts or as lists, by the id of the node they name. */
export function readsOf(data: Fields): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (selector: readonly string[]) => {
    const [head = '', ...rest] = selector
    if (head === '' || rest.length === 0) return
    const names = found.get(head) ?? new Set()
    found.set(head, names.add(rest.join('.')))
  }
  const open: unknown[] = [data]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string') for (const match of value.matchAll(IN_TEXT)) add((match[1] ?? '').split('.'))
    else if (Array.isArray(value)) {
      if (value.length > 1 && value.length < 10 && value.every((part) => stringOf(part) !== undefined))
        add(value.map(textOf))
      open.push(...value.filter((each) => each !== undefined))
    } else if (isFields(value)) open.push(...Object.values(value).filter((each) => each !== undefined))
  }
  return found
}

/** The context text that a node inserts into a prompt (from knowledge retrieval, for example), if enabled. */
export const contextOf = (data: Fields): unknown => {
  const { enabled, variable_selector } = fieldsOf(data.context)
  return enabled === true && listOf(variable_selector).length > 0 ? variable_selector : undefined
}
