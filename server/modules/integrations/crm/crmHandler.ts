import { type CrmAction, type CrmCall, crmEffect } from '../../../../engine/effects/crm'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import type { Wait } from '../calls/pace'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { Turns } from '../turns'
import type { Writes } from '../writes'
import type { Crm, CrmRecord, CrmRecords } from './crm'

type CrmContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'>
interface CrmAnswer {
  ok: boolean
  error?: string
  id?: string
  url?: string
  fields?: Record<string, Json>
}
type Crms = Readonly<Record<CrmCall['vendor'], Crm>>

interface Parts {
  accounts: Accounts
  writes: Writes
  turns: Turns
  wait: Wait
}

/**
 * What was created is searched for so much later, in ms: search may find it late, and a lost request may arrive late.
 */
const SEARCH_DELAY = 15_000
/** How far a vendor's clock may be from ours, in ms. */
const CLOCKS = 60_000

/**
 * Handles `crm`. Changing a record twice is harmless. What may have been created, since its answer got lost, is looked
 * for before it is created again, unless the vendor itself refuses a second one.
 */
export function createCrmHandler(
  { config }: Pick<ServerContext, 'config'>,
  crms: Crms,
  { accounts, writes, turns, wait }: Parts,
) {
  async function open(call: CrmCall, { project, signal }: CrmContext) {
    const crm = crms[call.vendor]
    const opened = await accounts.open(crm.vendor, project.id, call.connection, signal)
    const account = { connection: call.connection, ...opened.account }
    const records = crm.open({ call: opened.call, settings: config.vendors, object: call.object, account })
    const present = ({ id, url, properties }: CrmRecord): CrmAnswer => ({
      ok: true,
      id,
      url: url ?? records.urlOf(id),
      fields: Object.fromEntries(call.show.map((name) => [name, properties[name] ?? null])),
    })
    return { crm, records, present }
  }

  /** Creates it once. @throws VendorError exists, unless this call has created it */
  async function create(records: CrmRecords, call: CrmCall, context: CrmContext): Promise<CrmRecord> {
    const isUnique = records.isUnique(call.fields)
    let isRepeated = false
    const id = await writes.once<string>({
      projectId: context.project.id,
      key: context.idempotencyKey,
      target: `${call.vendor}/${call.object}`,
      leavesMark: false,
      prepare: async () => ({
        answer: '',
        async carryOut() {
          try {
            return (await records.create(call.fields, call.links)).id
          } catch (error) {
            const existing = isRepeated && isUnique ? records.existing(error) : null
            if (existing === null) throw error
            return existing
          }
        },
      }),
      async recover({ since, isAnotherWrites }) {
        isRepeated = true
        if (isUnique || call.fields.every(({ value }) => value === '')) return null
        await wait(SEARCH_DELAY, context.signal)
        for (const found of await records.recent(call.fields, new Date(since.getTime() - CLOCKS)))
          if (!(await isAnotherWrites(found))) return { answer: found }
        return null
      },
    })
    return { id, properties: Object.fromEntries(call.fields.map(({ name, value }) => [name, value])) }
  }

  /** Null: there is none to change. */
  async function change(crm: Crm, records: CrmRecords, call: CrmCall, context: CrmContext): Promise<CrmRecord | null> {
    const { action, find, fields, links } = call
    if (action === 'create' || !find) return create(records, call, context)
    if (action === 'update') {
      const found = await records.find(find)
      return found && records.update(found.id, fields, links)
    }
    const put = find.value.trim() === '' ? null : await records.put?.(find, fields, links)
    if (put) return put
    if (!crm.findsAtOnce || find.value.trim() === '') return upsert(records, call, context)
    const turn = `${call.connection} ${call.object} ${find.by} ${find.value.trim().toLowerCase()}`
    return turns.take(turn, () => upsert(records, call, context), context.signal)
  }

  async function upsert(records: CrmRecords, call: CrmCall, context: CrmContext): Promise<CrmRecord | null> {
    const { find, fields, links } = call
    const found = find && (await records.find(find))
    const changed = found && (await records.update(found.id, fields, links))
    if (changed) return changed
    return create(records, withKey(call), context).catch((error: unknown) => {
      // somebody was faster
      const existing = records.existing(error)
      if (existing === null) throw error
      return records.update(existing, fields, links)
    })
  }

  return handleEffect(crmEffect).by({
    carryOut: (call, context: CrmContext) =>
      answered(async () => {
        const { crm, records, present } = await open(call, context)
        if (call.action === 'search') return found(call.find && (await records.find(call.find, call.show)), present)
        const record = await change(crm, records, call, context)
        // what was not set by this call has to be asked for
        const isKnown = call.show.every((name) => record && Object.hasOwn(record.properties, name))
        const whole = record && !isKnown ? await records.find({ by: 'id', value: record.id }, call.show) : record
        const answer = found(whole ?? record, present)
        if (context.writes === 'real' || !answer.ok) return answer
        return shown(answer, { call, crm, action: actionOf(call, record), carriedOut: true })
      }),

    simulate: (call, context: CrmContext) =>
      answered(async () => {
        const { crm, records, present } = await open(call, context)
        const there = call.find && (await records.find(call.find, call.show))
        if (call.action === 'search') return found(there, present)
        if (call.action === 'update' && !there) return NOT_FOUND
        const action = there ? 'update' : 'create'
        return shown(there ? present(there) : { ok: true }, { call, crm, action, carriedOut: false })
      }),
  })
}

const NOT_FOUND: CrmAnswer = { ok: false, error: 'not-found' }
const found = (record: CrmRecord | null, present: (record: CrmRecord) => CrmAnswer): CrmAnswer =>
  record ? present(record) : NOT_FOUND

/** What a new record is found by is one of its properties. */
function withKey(call: CrmCall): CrmCall {
  const { find, fields } = call
  if (!find || find.by === 'id' || fields.some(({ name }) => name === find.by)) return call
  return { ...call, fields: [{ name: find.by, value: find.value.trim() }, ...fields] }
}

const actionOf = ({ action }: CrmCall, record: CrmRecord | null): 'create' | 'update' =>
  action === 'create' || (action === 'upsert' && record === null) ? 'create' : 'update'

async function answered<Answer extends CrmAnswer>(work: () => Promise<Answer>): Promise<Answer | CrmAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof VendorError) return { ok: false, error: error.message }
    throw error
  }
}

interface Changed {
  call: CrmCall
  crm: Crm
  action: Extract<CrmAction, 'create' | 'update'>
  carriedOut: boolean
}

function shown(answer: CrmAnswer, { call, crm, action, carriedOut }: Changed) {
  const effect: TestEffect = {
    type: 'record',
    carriedOut,
    vendor: crm.vendor.name,
    action,
    of: call.object,
    count: 1,
    place: crm.vendor.name,
    fields: Object.fromEntries(call.fields.map(({ name, value }) => [name, value])),
  }
  return { ...answer, testEffects: [effect] }
}
