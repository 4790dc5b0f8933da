import { z } from 'zod'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Whether a value is JSON of at most `depth` levels: not undefined, NaN, bytes, or a class instance. */
export function isJson(value: unknown, depth: number): value is Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth <= 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype && Object.values(value).every((part) => isJson(part, depth - 1))
}

export const jsonSchema: z.ZodType<Json> = z.json() as z.ZodType<Json>
