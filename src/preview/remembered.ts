import { z } from 'zod'
import type { Json } from '../../engine/values/json'
import { jsonSchema } from '../../engine/values/json'

/** A tester's settings for a chatbot's tests. They are personal, so this browser stores them. */
export interface Breakpoint {
  /** null for the main flow */
  flowId: string | null
  blockId: string
}

const breakpointsSchema = z.array(z.object({ flowId: z.string().nullable(), blockId: z.string() })).max(1_000)
const valuesSchema = z.record(z.string(), z.record(z.string(), jsonSchema))

export const keptBreakpoints = (cgid: string): Breakpoint[] =>
  read(`parley-breakpoints-${cgid}`, breakpointsSchema) ?? []
export const keepBreakpoints = (cgid: string, all: readonly Breakpoint[]): void =>
  write(`parley-breakpoints-${cgid}`, all.length > 0 ? all : null)

/** By flow ('' for the main one) and variable. */
export const keptValues = (cgid: string): Record<string, Record<string, Json>> =>
  read(`parley-run-values-${cgid}`, valuesSchema) ?? {}
export const keepValues = (cgid: string, values: Readonly<Record<string, Record<string, Json>>>): void =>
  write(`parley-run-values-${cgid}`, Object.keys(values).length > 0 ? values : null)

export const looks = ['web', 'whatsapp', 'both'] as const
export type Look = (typeof looks)[number]
/** @param usual until somebody has chosen one */
export const keptLook = (usual: Look): Look =>
  looks.find((look) => look === localStorage.getItem('parley-preview-look')) ?? usual
export const keepLook = (look: Look): void => localStorage.setItem('parley-preview-look', look)

function read<Value>(key: string, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(key) ?? ''))
  } catch {
    // missing, or written by an older version
    return null
  }
}

function write(key: string, value: unknown): void {
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(value))
}
