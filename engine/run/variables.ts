import { charge } from '../budget'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { isReservedId, TRANSCRIPT } from '../values/systemVariables'

/** How large the variables of a session may grow, in characters of JSON. */
export const variableCaps = { value: 64 * 1024, total: 1024 * 1024 } as const

/** The variables of a running turn. `present` is never changed in place: who holds it, holds that moment's values. */
export class VariableStore {
  /** characters of all values; null until it is needed */
  private total: number | null = null
  /** about how many there are; null until it is needed */
  private count: number | null = null

  /** @param others values kept elsewhere in the session, which count toward the total */
  constructor(
    public present: Variables,
    private readonly others: readonly Variables[] = [],
  ) {}

  /**
   * Sets a value within the caps.
   * @param system set by a kind that finds out what system variables hold
   * @returns what to tell the editor when it had to be cut or refused
   */
  set(variableId: string, value: Json | undefined, system = false): string | null {
    if (isReservedId(variableId) && !system) return 'No flow sets a system variable; the value was not kept.'
    const whole = value ?? null
    if (typeof whole === 'object' && isDeep(whole))
      return `The value has more than ${MAX_LEVELS} lists or objects in one another and was not kept.`
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

  /** Goes back to values that it held before. */
  restore(present: Variables): void {
    this.present = present
    this.total = null
  }

  private measure(): number {
    const kept = this.others.reduce((sum, values) => sum + sizeOf(values), 0)
    return Object.values(this.present).reduce<number>((sum, value) => sum + sizeOf(value), kept)
  }
}

/** The system variables alone, and all others: the former are shared by the flows of a session. */
export const systemPart = (variables: Variables): Record<string, Json> => pick(variables, isReservedId)
export const ownPart = (variables: Variables): Record<string, Json> => pick(variables, (id) => !isReservedId(id))

function pick(variables: Variables, wanted: (id: string) => boolean): Record<string, Json> {
  const all = Object.entries(variables)
  charge(all.length * COPIED)
  return Object.fromEntries(all.flatMap(([id, value]) => (wanted(id) ? [[id, value ?? null] as const] : [])))
}

/** Characters of its JSON. */
function sizeOf(value: Json | Variables): number {
  const size = value === null ? 4 : JSON.stringify(value).length
  charge(size)
  return size
}

/** What copying one of the variables costs. */
const COPIED = 30

/** Deeper values exhaust the stack where they are written. */
const MAX_LEVELS = 500

/** Goes level by level, so that no nesting can exhaust the stack. */
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

/** A text or a list is cut at its end; an object can't be cut and becomes unset. */
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

/** A character may take six in JSON (`\u0001`): cut by the measure of the escaped text. */
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

/** Equal one by one, but for what was said; lists and objects by identity alone. */
export function sameVariables(left: Variables, right: Variables): boolean {
  if (left === right) return true
  const ids = Object.keys(left)
  charge(ids.length * COPIED)
  return (
    ids.length === Object.keys(right).length &&
    ids.every((id) => id === TRANSCRIPT || (Object.hasOwn(right, id) && left[id] === right[id]))
  )
}
