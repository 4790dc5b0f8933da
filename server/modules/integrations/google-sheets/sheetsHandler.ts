import { createHash } from 'node:crypto'
import { type SheetAction, type SheetCall, sheetsEffect } from '../../../../engine/effects/sheets'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import type { Json } from '../../../../engine/values/json'
import { printValue } from '../../../../engine/values/render'
import { sheetCaps } from '../../../../engine/values/sheets'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { Turns } from '../turns'
import type { Writes } from '../writes'
import { appendRow, clearRow, deleteRows, leaveMark, takeMark, updateRow } from './requests'
import { openSpreadsheet, type Spreadsheet } from './spreadsheet'
import { headerOf, matchingRows, namedCells, placedCells, type SheetRow } from './table'
import { googleSheets } from './vendor'

type SheetContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'>
interface SheetAnswer {
  ok: boolean
  error?: string
  rows?: Record<string, Json>[]
  numbers?: number[]
}

/** The requests that change the spreadsheet, and the rows that they concern. */
type Plan = { requests: Json[]; numbers: number[] }

/**
 * Handles `sheets`. Reading repeats nothing and needs no record; each write is one atomic change with a mark, so that
 * it is made once whatever happens in between. Writers of a tab that go by the numbers of rows take turns.
 */
export function createSheetsHandler(
  { config }: Pick<ServerContext, 'config'>,
  { accounts, writes, turns }: { accounts: Accounts; writes: Writes; turns: Turns },
) {
  async function open(call: SheetCall, { project, signal }: SheetContext): Promise<Spreadsheet> {
    const { call: vendorCall } = await accounts.open(googleSheets, project.id, call.connection, signal)
    return openSpreadsheet(vendorCall, config.vendors, call.spreadsheet)
  }

  async function get(spreadsheet: Spreadsheet, call: SheetCall, key: string): Promise<SheetAnswer> {
    const { header, rows } = await findRows(spreadsheet, call)
    const chosen = chooseRows(rows, call, key)
    if (chosen.length === 0 && (call.which !== 'all' || call.match !== null)) return NOT_FOUND
    return {
      ok: true,
      rows: chosen.map((row) => namedCells(header, row)),
      numbers: chosen.map(({ number }) => number),
    }
  }

  async function change(spreadsheet: Spreadsheet, call: SheetCall, context: SheetContext): Promise<SheetAnswer> {
    const numbers = await writes.once<number[] | null>({
      projectId: context.project.id,
      key: context.idempotencyKey,
      target: `${googleSheets.slug}/${call.spreadsheet.id}`,
      async prepare() {
        const plan = await planOf(spreadsheet, call)
        return {
          answer: plan?.numbers ?? null,
          carryOut:
            plan &&
            (async (mark, done) => {
              await spreadsheet.update([...plan.requests, ...done.map(takeMark), leaveMark(mark.id, mark.value)])
            }),
        }
      },
      async recover({ mark, answer }) {
        const { marks } = await spreadsheet.describe({ marks: true })
        const isDone = marks.some(
          ({ metadataId, metadataValue }) => metadataId === mark.id && metadataValue === mark.value,
        )
        return isDone ? { answer } : null
      },
    })
    return numbers ? { ok: true, numbers } : NOT_FOUND
  }

  return handleEffect(sheetsEffect).by({
    async carryOut(call, context: SheetContext): Promise<SheetAnswer & { testEffects?: TestEffect[] }> {
      return answered(async () => {
        const spreadsheet = await open(call, context)
        if (call.action === 'get') return get(spreadsheet, call, context.idempotencyKey)
        // a row that is added moves no other
        const answer = await (call.action === 'add'
          ? change(spreadsheet, call, context)
          : turns.take(
              `${call.spreadsheet.id}/${call.tab.id}`,
              () => change(spreadsheet, call, context),
              context.signal,
            ))
        return context.writes === 'real' || !answer.ok ? answer : shown(answer, call, call.action, true)
      })
    },

    async simulate(call, context: SheetContext): Promise<SheetAnswer & { testEffects?: TestEffect[] }> {
      return answered(async () => {
        const spreadsheet = await open(call, context)
        if (call.action === 'get') return get(spreadsheet, call, context.idempotencyKey)
        const plan = await planOf(spreadsheet, call)
        return plan ? shown({ ok: true, numbers: plan.numbers }, call, call.action, false) : NOT_FOUND
      })
    },
  })
}

const NOT_FOUND: SheetAnswer = { ok: false, error: 'not-found' }

async function answered<Answer extends SheetAnswer>(work: () => Promise<Answer>): Promise<Answer | SheetAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof VendorError) return { ok: false, error: error.message }
    throw error
  }
}

async function findRows(spreadsheet: Spreadsheet, call: SheetCall) {
  const values = await spreadsheet.values(call.tab)
  return { header: headerOf(values, placeOf(call)), rows: matchingRows(values, call.match) }
}

/** What a write does; null if no row matches. */
async function planOf(spreadsheet: Spreadsheet, call: SheetCall): Promise<Plan | null> {
  const { tab, action } = call
  if (action === 'add') {
    const header = headerOf(await spreadsheet.values(tab, 1), placeOf(call))
    return { requests: [appendRow(tab.id, placedCells(header, call.cells))], numbers: [] }
  }
  const { header, rows } = await findRows(spreadsheet, call)
  const chosen = call.which === 'all' ? rows : rows.slice(0, 1)
  if (chosen.length === 0) return null
  if (chosen.length > sheetCaps.rows) throw new VendorError('too_many', String(chosen.length))
  const numbers = chosen.map(({ number }) => number)
  if (action === 'delete') return { requests: deleteRows(tab.id, numbers), numbers }
  if (action === 'clear') return { requests: numbers.map((number) => clearRow(tab.id, number)), numbers }
  const cells = placedCells(header, call.cells)
  return { requests: numbers.flatMap((number) => updateRow(tab.id, number, cells)), numbers }
}

/** At random, but the same for a repetition of the same call. */
function chooseRows(rows: SheetRow[], { which, limit }: SheetCall, key: string): SheetRow[] {
  if (which === 'all') return rows.slice(0, limit)
  if (which === 'first') return rows.slice(0, 1)
  const at = createHash('sha256').update(`random ${key}`).digest().readUInt32BE(0)
  const row = rows[at % Math.max(1, rows.length)]
  return row ? [row] : []
}

const placeOf = ({ spreadsheet, tab }: SheetCall): string => `${spreadsheet.name} › ${tab.title}`

function shown(answer: SheetAnswer, call: SheetCall, action: Exclude<SheetAction, 'get'>, carriedOut: boolean) {
  const effect: TestEffect = {
    type: 'record',
    carriedOut,
    vendor: googleSheets.name,
    action,
    of: 'row',
    count: action === 'add' ? 1 : (answer.numbers?.length ?? 0),
    place: placeOf(call),
    fields: Object.fromEntries(call.cells.map(({ column, value }) => [column, printValue(value)])),
  }
  return { ...answer, testEffects: [effect] }
}
