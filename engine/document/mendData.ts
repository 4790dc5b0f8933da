import type { z } from 'zod'
import type { AnyBlock } from '../flow/defineBlock'
import { staticValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import type { Data } from './blockData'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** The most fixes: data with more problems is something else altogether. */
const MOST = 100

/** The most values visited while one block is repaired: each problem visits all values some dozen times. */
const MOST_LOOKS = 2_000_000
const LOOKS_EACH = 20

/**
 * Fixes missing, unknown and wrongly typed fields, so that the block can be shown, edited and run. Returns null when
 * there are none. Incomplete entries (empty, too long, not an address) are left to the editor.
 */
export function mendData(data: Data, definition: AnyBlock): { data: Data; fields: string[] } | null {
  let present = data
  const fields = new Set<string>()
  const hopeless = new Set<string>()
  const most = Math.min(MOST, Math.floor(MOST_LOOKS / (LOOKS_EACH * countValues(data))))
  for (let n = 0; n < most; n++) {
    const broken = brokenIn(present, definition).find(({ at }) => !hopeless.has(at.join('/')))
    if (!broken) break
    const mended = mend(present, broken, definition)
    if (!mended) hopeless.add(broken.at.join('/'))
    else {
      present = mended
      fields.add(String(broken.at[0] ?? ''))
    }
  }
  // too large to fix value by value: broken fields are reset
  if (most < MOST && brokenIn(present, definition).length > 0) {
    const anew = withFreshFields(present, definition)
    return { data: anew.data, fields: [...new Set([...fields, ...anew.fields])].sort() }
  }
  return fields.size > 0 ? { data: present, fields: [...fields].sort() } : null
}

function countValues(value: Json): number {
  if (value === null || typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countValues(part), 1)
}

/** The data with every broken field reset to the kind's default, and without unknown fields. */
function withFreshFields(data: Data, definition: AnyBlock): { data: Data; fields: string[] } {
  let n = 0
  const fresh = definition.defaults(() => `r${++n}`) as Data
  const fields = new Set(
    brokenIn(data, definition).flatMap(({ at, unknown }) => (at.length ? [String(at[0])] : (unknown ?? []))),
  )
  const kept = Object.entries(data).filter(([name]) => !fields.has(name))
  const begun = Object.entries(fresh).filter(([name]) => fields.has(name))
  return { data: Object.fromEntries([...kept, ...begun]), fields: [...fields] }
}

interface Broken {
  at: Path
  /** keys that the schema does not know; otherwise the value is missing or has a wrong type */
  unknown?: readonly string[]
}

const WRONG: ReadonlySet<string> = new Set([
  'invalid_type',
  'invalid_union',
  'invalid_value',
  'invalid_key',
  'invalid_element',
])

function brokenIn(data: Data, { schema, richTexts }: AnyBlock): Broken[] {
  const issues: Issue[] = schema.safeParse(data).error?.issues ?? []
  return issues.flatMap((issue): Broken[] => {
    // rich texts come from their own type, which only holds texts
    if (richTexts.includes(String(issue.path[0]))) return []
    if (issue.code === 'unrecognized_keys') return [{ at: issue.path, unknown: issue.keys }]
    return WRONG.has(issue.code) && issue.path.length > 0 ? [{ at: issue.path }] : []
  })
}

function mend(data: Data, { at, unknown }: Broken, definition: AnyBlock): Data | null {
  if (unknown) return changeAt(data, at, (value) => without(value, unknown)) as Data
  const before = brokenIn(data, definition).length
  const { schema } = definition
  let n = 0
  const fresh = definition.defaults(() => `r${++n}`) as Data
  const candidates = [...(at.length === 1 ? [fresh[String(at[0])]] : []), ...PLAIN, ...choicesAt(data, at, definition)]
  let best: { next: Data; wrong: number } | null = null
  for (const candidate of candidates) {
    if (candidate === undefined) continue
    const next = changeAt(data, at, () => candidate) as Data
    const left = brokenIn(next, definition)
    if (left.length >= before || left.some((other) => other.at.join('/').startsWith(at.join('/')))) continue
    const wrong = schema.safeParse(next).error?.issues.length ?? 0
    if (!best || wrong < best.wrong) best = { next, wrong }
  }
  if (best) return best.next
  // remove an item that can't be fixed, or an optional field
  const next = changeAt(data, at, () => undefined) as Data
  return brokenIn(next, definition).length < before ? next : null
}

/** Common default values of fields. */
const PLAIN: readonly Json[] = ['', staticValue('') as unknown as Json, null, [], false, 0, 1, {}]

/** The allowed values of a field with a few choices. */
function choicesAt(data: Data, at: Path, { schema }: AnyBlock): Json[] {
  const issues: Issue[] = schema.safeParse(changeAt(data, at, () => '')).error?.issues ?? []
  return issues.flatMap((issue) =>
    issue.code === 'invalid_value' && issue.path.join('/') === at.join('/') ? (issue.values.slice(0, 1) as Json[]) : [],
  )
}

/** Returns a copy with the part at the path changed; undefined removes it. */
function changeAt(
  value: Json | undefined,
  [key, ...rest]: Path,
  change: (part: Json | undefined) => Json | undefined,
): Json | undefined {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.flatMap((item, i): Json[] => {
      if (i !== Number(key)) return [item]
      const next = changeAt(item, rest, change)
      return next === undefined ? [] : [next]
    })
  }
  if (value === null || typeof value !== 'object') return value
  const name = String(key)
  const next = changeAt(value[name], rest, change)
  if (next === undefined) return without(value, [name])
  return { ...value, [name]: next }
}

const without = (value: Json | undefined, names: readonly string[]): Json | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
    : value
