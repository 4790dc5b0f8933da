import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { registry } from '../../../blocks/registry'
import { createIdSource } from '../../../engine/flow/ids'
import type { Json } from '../../../engine/values/json'
import { waitByTimer } from '../../../server/modules/integrations/calls/pace'
import { createIntegrations } from '../../../server/modules/integrations/createIntegrations'
import { parseConfig } from '../../../server/platform/config/config'
import type { VendorSettings } from '../../../server/platform/config/vendorSettings'
import { createContext } from '../../../server/platform/context'
import { type Connection, createDatabase } from '../../../server/platform/database/database'
import { writeContext } from '../effects'
import { fastClock } from './fastClock'
import type { VendorWrite } from './vendorWrites'

/** What a process that writes is started with, as JSON in `WRITING`. */
export interface WritingSettings {
  connection: Connection
  dataDir: string
  vendors: VendorSettings
  projectId: string
  from: number
}
/** A call for it to make, and what it answers. */
export interface WritingCall {
  id: number
  effect: VendorWrite['effect']
  key: string
  request: Json
}
export interface WritingAnswer {
  id: number
  answer: Json
}

/**
 * Makes calls at vendors as a process for tests to kill: those that its parent sends, as many at once as are sent. Time
 * goes as fast as the parent's.
 */
const { connection, dataDir, vendors, projectId, from }: WritingSettings = JSON.parse(process.env.WRITING ?? '')
const { clock, speed } = fastClock(from)
const db = createDatabase(connection, { max: 16 })
const context = createContext({
  db,
  config: { ...parseConfig({}), dataDir, vendors },
  registry,
  clock,
  ids: createIdSource(randomBytes),
  log: pino({ level: 'silent' }),
})
const parts = createIntegrations(context, { wait: (ms, signal) => waitByTimer(ms / speed, signal) })

process.on('message', async ({ id, effect, key, request }: WritingCall) => {
  const answer: Promise<Json> = parts[effect].answer(request, writeContext(projectId, key))
  process.send?.({ id, answer: await answer } satisfies WritingAnswer)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
