import { z } from 'zod'
import { sheetActions } from '../../engine/effects/sheets'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { sheetCaps } from '../../engine/values/sheets'

/** `none`: rows are not picked by what they hold */
export const matchKinds = ['column', 'row', 'none'] as const
export const whichRows = ['first', 'all', 'random'] as const

const column = z.string().max(sheetCaps.column, `Must not exceed ${sheetCaps.column} characters`)
const named = <Id extends z.ZodType>(id: Id, field: 'name' | 'title') =>
  z.strictObject({ id, [field]: z.string().max(1_000) })

export const sheetRowSchema = z.strictObject({
  action: z.enum(sheetActions),
  /** a connection of the project */
  connection: z.string().max(64).nullable(),
  /** with the names that they had when they were chosen, for when the spreadsheet can't be asked */
  spreadsheet: named(z.string().min(1).max(200), 'name').nullable() as z.ZodType<{ id: string; name: string } | null>,
  tab: named(z.int().min(0), 'title').nullable() as z.ZodType<{ id: number; title: string } | null>,
  /** to add and update */
  cells: z
    .array(z.strictObject({ id: idSchema, column, value: dynamicValueSchema(caps.setVariable) }))
    .max(sheetCaps.columns),
  /** which rows, unless one is added */
  matchBy: z.enum(matchKinds),
  matchColumn: column,
  matchValue: dynamicValueSchema(caps.setVariable),
  row: dynamicValueSchema(20),
  which: z.enum(whichRows),
  /** most rows to get */
  limit: z.int('Enter a whole number').min(1, 'Must be from 1 to 1,000').max(sheetCaps.rows, 'Must be from 1 to 1,000'),
  /** where values of rows are saved; of several rows a list */
  outputs: z.array(z.strictObject({ id: idSchema, column, saveTo: idSchema.nullable() })).max(sheetCaps.columns),
  saveRowsTo: idSchema.nullable(),
  saveCountTo: idSchema.nullable(),
})
export type SheetRowData = z.infer<typeof sheetRowSchema>

export const sheetRowDefaults = (): SheetRowData => ({
  action: 'add',
  connection: null,
  spreadsheet: null,
  tab: null,
  cells: [],
  matchBy: 'column',
  matchColumn: '',
  matchValue: staticValue(''),
  row: staticValue(''),
  which: 'first',
  limit: 100,
  outputs: [],
  saveRowsTo: null,
  saveCountTo: null,
})

/** Whether the action sets cells. */
export const setsCells = ({ action }: Pick<SheetRowData, 'action'>): boolean => action === 'add' || action === 'update'
/** Whether the action is about rows that are there. */
export const findsRows = ({ action }: Pick<SheetRowData, 'action'>): boolean => action !== 'add'
/** How rows are picked: only reading takes rows whatever they hold. */
export const matchOf = ({ action, matchBy }: Pick<SheetRowData, 'action' | 'matchBy'>): SheetRowData['matchBy'] =>
  matchBy === 'none' && action !== 'get' ? 'column' : matchBy
/** How many are meant: only reading takes one at random. */
export const whichOf = ({ action, which }: Pick<SheetRowData, 'action' | 'which'>): SheetRowData['which'] =>
  which === 'random' && action !== 'get' ? 'first' : which
