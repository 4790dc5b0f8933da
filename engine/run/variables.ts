import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'

/** How large the variables of a session may grow, in characters of JSON. */
export const variableCaps = { value: 64 * 1024, total: 1024 * 1024 } as const

/** The variables of a running turn. `present` is never changed in place: who holds it, holds that moment's values. */
export class VariableStore {
  private sizes: Map<string, number> | null = null
  private total = 0
  constructor(public present: Variables) {}

  /** Sets a value within the caps. @returns what to tell the editor when it had to be cut or refused */
  set(variableId: string, value: Json | undefined): string | null {
    const fitted = cutToSize(value ?? null)
    const size = JSON.stringify(fitted).length
    const sizes = this.measured()
    const total = this.total - (sizes.get(variableId) ?? 0) + size
    if (total > variableCaps.total) return 'The variables are full (1 MB); the value was not kept.'
    sizes.set(variableId, size)
    this.total = total
    this.present = { ...this.present, [variableId]: fitted }
    return fitted === (value ?? null) ? null : 'The value was too large (64 KB) and was cut.'
  }

  /** Goes back to values that it held before. */
  restore(present: Variables): void {
    this.present = present
    this.sizes = null
  }

  private measured(): Map<string, number> {
    if (!this.sizes) {
      this.sizes = new Map(Object.entries(this.present).map(([id, value]) => [id, JSON.stringify(value).length]))
      this.total = [...this.sizes.values()].reduce((sum, size) => sum + size, 0)
    }
    return this.sizes
  }
}

/** The value itself when it fits; else a text or a list cut at its end; an object can't be cut and becomes unset. */
function cutToSize(value: Json): Json {
  if (JSON.stringify(value).length <= variableCaps.value) return value
  if (typeof value === 'string') return fitText(value)
  if (!Array.isArray(value)) return null
  const items: Json[] = []
  let size = 2
  for (const item of value) {
    size += JSON.stringify(item).length + 1
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
    cut = cut.slice(0, cut.length - Math.ceil(over / 6))
  }
  return cleanText(cut)
}

/** Equal one by one; lists and objects by identity alone. */
export function sameVariables(left: Variables, right: Variables): boolean {
  if (left === right) return true
  const ids = Object.keys(left)
  return (
    ids.length === Object.keys(right).length && ids.every((id) => Object.hasOwn(right, id) && left[id] === right[id])
  )
}
