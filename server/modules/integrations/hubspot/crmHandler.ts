import { type CrmAction, type CrmCall, crmEffect } from '../../../../engine/effects/crm'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import type { Wait } from '../calls/pace'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { Writes } from '../writes'
import { objects } from './objects'
import { type CrmRecord, type CrmRecords, existingId, openRecords } from './records'
import { hubspot } from './vendor'

type CrmContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'>
interface CrmAnswer {
  ok: boolean
  error?: string
  id?: string
  url?: string
  fields?: Record<string, Json>
}

/** HubSpot's search finds a new record some seconds later, in ms. */
const SEARCH_DELAY = 15_000
/** How far HubSpot's clock may be from ours, in ms. */
const CLOCKS = 60_000

/**
 * Handles `crm`. Changing a record twice is harmless, and a contact exists once by its address. A company or a ticket
 * that may have been created, since its answer got lost, is searched for before it is created again.
 */
export function createCrmHandler(
  { config }: Pick<ServerContext, 'config'>,
  { accounts, writes, wait }: { accounts: Accounts; writes: Writes; wait: Wait },
) {
  async function open(call: CrmCall, { project, signal }: CrmContext) {
    const { call: vendorCall, account } = await accounts.open(hubspot, project.id, call.connection, signal)
    const records = openRecords(vendorCall, config.vendors, call.object)
    const { appUrl } = config.vendors.hubspot
    const present = ({ id, url, properties }: CrmRecord): CrmAnswer => ({
      ok: true,
      id,
      url: url ?? `${appUrl}/contacts/${account.id}/record/${objects[call.object].type}/${id}`,
      fields: Object.fromEntries(call.show.map((name) => [name, properties[name] ?? null])),
    })
    return { records, present }
  }

  /** Creates it once. @throws VendorError exists, unless this call has created it */
  async function create(records: CrmRecords, call: CrmCall, context: CrmContext): Promise<CrmRecord> {
    let isRepeated = false
    const id = await writes.once<string>({
      projectId: context.project.id,
      key: context.idempotencyKey,
      target: `${hubspot.slug}/${call.object}`,
      leavesMark: false,
      prepare: async () => ({
        answer: '',
        async carryOut() {
          try {
            return (await records.create(call.fields, call.links)).id
          } catch (error) {
            const existing = isRepeated ? existingId(error) : null
            if (existing === null) throw error
            return existing
          }
        },
      }),
      async recover({ since }) {
        isRepeated = true
        if (call.object === 'contact') return null
        const [key, ...others] = call.fields.filter(({ value }) => value !== '').slice(0, 4)
        if (!key) return null
        await wait(SEARCH_DELAY, context.signal)
        const created = {
          propertyName: 'createdate',
          operator: 'GTE',
          value: String(since.getTime() - CLOCKS),
        } as const
        const same = [key, ...others].map(({ name, value }) => ({ propertyName: name, operator: 'EQ' as const, value }))
        const [found] = await records.search([...same, created])
        return found ? { answer: found.id } : null
      },
    })
    return { id, properties: Object.fromEntries(call.fields.map(({ name, value }) => [name, value])) }
  }

  /** Null: there is none to change. */
  async function change(records: CrmRecords, call: CrmCall, context: CrmContext): Promise<CrmRecord | null> {
    if (call.action === 'create') return create(records, call, context)
    const found = call.find && (await records.find(call.find))
    if (found) {
      const changed = await records.update(found.id, call.fields)
      if (changed) return changed
    }
    if (call.action === 'update') return null
    const added = withKey(call)
    return create(records, added, context).catch((error: unknown) => {
      // somebody was faster
      const existing = existingId(error)
      if (existing === null) throw error
      return records.update(existing, call.fields)
    })
  }

  return handleEffect(crmEffect).by({
    carryOut: (call, context: CrmContext) =>
      answered(async () => {
        const { records, present } = await open(call, context)
        if (call.action === 'search') return found(call.find && (await records.find(call.find, call.show)), present)
        const record = await change(records, call, context)
        // what was not set by this call has to be asked for
        const isKnown = call.show.every((name) => record && Object.hasOwn(record.properties, name))
        const whole = record && !isKnown ? await records.find({ by: 'id', value: record.id }, call.show) : record
        const answer = found(whole ?? record, present)
        return context.writes === 'real' || !answer.ok ? answer : shown(answer, call, actionOf(call, record), true)
      }),

    simulate: (call, context: CrmContext) =>
      answered(async () => {
        const { records, present } = await open(call, context)
        const present_ = call.find && (await records.find(call.find, call.show))
        if (call.action === 'search') return found(present_, present)
        if (call.action === 'update' && !present_) return NOT_FOUND
        const action = present_ ? 'update' : 'create'
        return shown(present_ ? present(present_) : { ok: true }, call, action, false)
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

function shown(answer: CrmAnswer, call: CrmCall, action: Extract<CrmAction, 'create' | 'update'>, carriedOut: boolean) {
  const effect: TestEffect = {
    type: 'record',
    carriedOut,
    vendor: hubspot.name,
    action,
    of: call.object,
    count: 1,
    place: hubspot.name,
    fields: Object.fromEntries(call.fields.map(({ name, value }) => [name, value])),
  }
  return { ...answer, testEffects: [effect] }
}
