import { z } from 'zod'
import { tooLong } from './caps'
import { valuePathSchema } from './valuePath'

/** A one-line value (SPEC.md 3): plain text, or parts of text and variables. */
const staticSchema = z.strictObject({ type: z.literal('static'), value: z.string() })
const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('variable'),
    variable_id: z.string().min(1).max(64),
    path: valuePathSchema.optional(),
  }),
])
const dynamicSchema = z.strictObject({ type: z.literal('dynamic'), parts: z.array(partSchema).max(2000) })

export type DynamicPart = z.infer<typeof partSchema>
export type DynamicValue = z.infer<typeof staticSchema> | z.infer<typeof dynamicSchema>

/**
 * @param max the most characters; only text parts count (SPEC.md 5)
 * @param check a rule for non-empty values, skipped if the value contains a variable (SPEC.md 5)
 */
export function dynamicValueSchema(
  max: number,
  check?: { test: (value: string) => boolean; message: string },
): z.ZodType<DynamicValue> {
  return z
    .discriminatedUnion('type', [staticSchema, dynamicSchema])
    .refine((value) => dynamicValueLength(value) <= max, { message: tooLong(max) })
    .refine((value) => !check || passes(value, check.test), { message: check?.message ?? 'Invalid' })
}

function passes(value: DynamicValue, test: (text: string) => boolean): boolean {
  if (dynamicValueVariables(value).length > 0) return true
  const text = dynamicValueToString(value, () => '')
  return text === '' || test(text)
}

export const staticValue = (value: string): DynamicValue => ({ type: 'static', value })

export function dynamicValueLength(value: DynamicValue): number {
  if (value.type === 'static') return value.value.length
  return value.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
}

export function dynamicValueVariables(value: DynamicValue): string[] {
  return value.type === 'static'
    ? []
    : value.parts.flatMap((part) => (part.type === 'variable' ? [part.variable_id] : []))
}

/** Only whitespace, and no variable. */
export const isBlankValue = (value: DynamicValue): boolean =>
  dynamicValueVariables(value).length === 0 && dynamicValueToString(value, () => '').trim() === ''

/** The value as text; `variable` returns the text of a variable, or of the part that the path names. */
export function dynamicValueToString(
  value: DynamicValue,
  variable: (variableId: string, path?: string) => string,
): string {
  if (value.type === 'static') return value.value
  return value.parts.map((part) => (part.type === 'text' ? part.text : variable(part.variable_id, part.path))).join('')
}
