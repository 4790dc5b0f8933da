import { charge } from '../budget'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { isReservedId, TRANSCRIPT } from '../values/systemVariables'

/** The size limits of a session's variables, in characters of JSON. */
export const variableCaps = { value: 64 * 1024, total: 1024 * 1024 } as const

/** The variables of a running turn. `present` is immutable: a reference to it is a snapshot. */
export class VariableStore {
  /** characters of all values; null until needed */
  private total: number | null = null
  /** approximate number of variables; null until needed */
  private count: number | null = null

  /** @param others values elsewhere in the session that count toward the total */
  constructor(
    public present: Variables,
    private readonly others: readonly Variables[] = [],
  ) {}

  /**
   * Sets a value within the caps.
   * @param system set by a kind that determines system variables
   * @returns a message for the editor if the value was cut or refused
   */
  set(variableId: string, value: Json | undefined, system = false): string | null {
    if (isReservedId(variableId) && !system) return 'No flow sets a system variable; the value was not kept.'
    const whole = value ?? null
    if (isDeep(whole)) return `The value has more than ${MAX_LEVELS} lists or objects in one another and was not kept.`
    const wholeSize = sizeOf(whole)
    const isTooLarge = wholeSize > variableCaps.value
    const fitted = isTooLarge ? cutToSize(whole) : whole
    const size = isTooLarge ? sizeOf(fitted) : wholeSize
    this.total ??= this.measure()
    const before = Object.hasOwn(this.present, variableId) ? sizeOf(this.present[variableId] ?? null) : 0
    const total = this.total - before + size
    if (total > variableCaps.total) return 'The variables are full (1 MB); the value was not kept.'
    this.total = total
    this.count ??= Object.keys(this.present).length + 1
    charge(this.count * COPIED)
    this.present = { ...this.present, [variableId]: fitted }
    return isTooLarge ? 'The value was too large (64 KB) and was cut.' : null
  }

  /** Restores earlier values. */
  restore(present: Variables): void {
    this.present = present
    this.total = null
  }

  private measure(): number {
    const kept = this.others.reduce((sum, values) => sum + sizeOf(values), 0)
    return Object.values(this.present).reduce<number>((sum, value) => sum + sizeOf(value), kept)
  }
}

/** Only the system variables, which all flows of a session share, and only the others. */
export const systemPart = (variables: Variables): Record<string, Json> => pick(variables, isReservedId)
export const ownPart = (variables: Variables): Record<string, Json> => pick(variables, (id) => !isReservedId(id))

function pick(variables: Variables, wanted: (id: string) => boolean): Record<string, Json> {
  const all = Object.entries(variables)
  charge(all.length * COPIED)
  return Object.fromEntries(all.flatMap(([id, value]) => (wanted(id) ? [[id, value ?? null] as const] : [])))
}

/** The length of its JSON. */
function sizeOf(value: Json | Variables): number {
  const size = value === null ? 4 : JSON.stringify(value).length
  charge(size)
  return size
}

/** The cost of copying a variable. */
const COPIED = 30

/** The deepest nesting; serializing deeper values would overflow the stack. */
const MAX_LEVELS = 500

/** Iterative, level by level, so that no nesting can overflow the stack. */
function isDeep(value: Json): boolean {
  let level = nested([value])
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_LEVELS) return true
    level = nested(level.flatMap((item) => Object.values(item)))
  }
  return false
}

function nested(items: Json[]): (Json[] | { [key: string]: Json })[] {
  charge(items.length)
  return items.filter((item) => typeof item === 'object' && item !== null)
}

/** Truncates a text or a list at its end; an object can't be truncated and becomes unset. */
function cutToSize(value: Json): Json {
  if (typeof value === 'string') return fitText(value)
  if (!Array.isArray(value)) return null
  const items: Json[] = []
  let size = 2
  for (const item of value) {
    size += sizeOf(item) + 1
    if (size > variableCaps.value) break
    items.push(item)
  }
  return items
}

/** Truncates by the escaped length: a character may take six in JSON (`\u0001`). */
function fitText(text: string): string {
  let cut = text.slice(0, variableCaps.value)
  for (
    let over = JSON.stringify(cut).length - variableCaps.value;
    over > 0;
    over = JSON.stringify(cut).length - variableCaps.value
  ) {
    charge(variableCaps.value)
    cut = cut.slice(0, cut.length - Math.ceil(over / 6))
  }
  return cleanText(cut)
}

/** Whether all variables except the transcript are equal; lists and objects only by identity. */
export function sameVariables(left: Variables, right: Variables): boolean {
  if (left === right) return true
  const ids = Object.keys(left)
  charge(ids.length * COPIED)
  return (
    ids.length === Object.keys(right).length &&
    ids.every((id) => id === TRANSCRIPT || (Object.hasOwn(right, id) && left[id] === right[id]))
  )
}
