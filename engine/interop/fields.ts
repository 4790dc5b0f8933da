import type { Json } from '../values/json'

/** Readers of a file's fields, which may hold anything: a value of the wrong type counts as absent. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined

export const textOf = (value: unknown): string => stringOf(value) ?? ''

/** A number, or a string that spells one. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Truncates to `max` characters without splitting a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** A file's value as JSON; numbers that JSON can't write (1e999) become null. */
export function toJson(value: unknown): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(toJson)
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toJson(field)]))
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
