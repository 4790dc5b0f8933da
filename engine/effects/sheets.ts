import { z } from 'zod'
import type { Json } from '../values/json'
import { sheetCaps } from '../values/sheets'
import { defineEffect, optional } from './defineEffect'

/** Longer than any text that a flow renders: the handler says what is too long for a cell. */
const text = z.string().max(200_000)

/** What a cell can hold; null leaves it empty. */
const cellSchema = z.union([text, z.number(), z.boolean(), z.null()])

export const sheetActions = ['add', 'update', 'clear', 'delete', 'get'] as const
export type SheetAction = (typeof sheetActions)[number]

const name = z.string().max(1_000)

const cells = z.array(z.strictObject({ column: name, value: cellSchema })).max(sheetCaps.columns)

const sheetRequestSchema = z.strictObject({
  action: z.enum(sheetActions),
  /** the project's connection, by its id */
  connection: z.string().regex(/^[a-z0-9]{16}$/, 'This is not a connection'),
  spreadsheet: z.strictObject({ id: z.string().max(200), name }),
  tab: z.strictObject({ id: z.int().min(0), title: name }),
  /** to add and update: by the columns' names in the first row */
  cells,
  /** which rows are meant; null: the one that is added, or all */
  match: z
    .discriminatedUnion('by', [
      z.strictObject({ by: z.literal('column'), column: name, value: text }),
      /** as the spreadsheet counts: the first row, with the names, is 1 */
      z.strictObject({ by: z.literal('row'), row: text }),
    ])
    .nullable(),
  which: z.enum(['first', 'all', 'random']),
  /** most rows to get */
  limit: z.int().min(1).max(sheetCaps.rows),
})

/** Adds, changes, empties, deletes or reads rows of a spreadsheet. */
export const sheetsEffect = defineEffect({
  name: 'sheets',
  request: sheetRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found`, or a sentence for the editor */
    error: optional(z.string()),
    /** what was read, or changed: by the columns' names */
    rows: optional(z.array(z.record(z.string(), z.custom<Json>()))),
    /** numbers of these rows in the spreadsheet; of an added row none is known */
    numbers: optional(z.array(z.number())),
  }),
})
export type SheetCall = z.infer<typeof sheetRequestSchema>
export type SheetCell = z.infer<typeof cellSchema>
