import type { Look } from '../../../server/contracts/web/look'

/** The groups of the sidebar, by what of a look each of them changes. */
export const groupNames = [
  'brand',
  'colours',
  'launcher',
  'texts',
  'messages',
  'queries',
  'shape',
  'parts',
  'footer',
  'advanced',
] as const
export type GroupName = (typeof groupNames)[number]

/** The group that a field is in, by the field's path. */
export function groupOf(path: string): GroupName {
  const [first = '', second = ''] = path.split('.')
  if (path === 'texts.header_title') return 'brand'
  if (first === 'texts') {
    if (second === 'initial_messages') return 'messages'
    if (second === 'queries') return 'queries'
    return second.startsWith('footer') ? 'footer' : 'texts'
  }
  if (first === 'theme') return 'colours'
  if (first === 'variables') return 'advanced'
  return groupNames.find((name) => name === first) ?? 'advanced'
}

export interface LookChange {
  /** the field's path, as far as a person can be told of it: items of a list are one field */
  path: string
  before: unknown
  after: unknown
}

/** What is different of a look, field by field, in the order of the fields. The theme is its colours. */
export function changesOf(before: Look, after: Look): LookChange[] {
  const changes: LookChange[] = []
  const compare = (one: unknown, other: unknown, path: string): void => {
    if (JSON.stringify(one) === JSON.stringify(other)) return
    if (isGroup(one) && isGroup(other) && path !== 'variables') {
      for (const key of Object.keys(other)) compare(one[key], other[key], path ? `${path}.${key}` : key)
      return
    }
    if (path !== 'theme') changes.push({ path, before: one, after: other })
  }
  compare(before, after, '')
  return changes
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
