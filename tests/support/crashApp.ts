import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createIdSource } from '../../engine/flow/ids'
import { buildApp } from '../../server/app'
import { parseConfig } from '../../server/platform/config/config'
import { createContext } from '../../server/platform/context'
import { openStorage } from '../../server/platform/database/openStorage'
import { drainOnClose } from '../../server/platform/http/drain'
import { callingFlow, callingRegistry } from './callingFlow'
import { type Count, counting } from './effects'
import { outsideFlows } from './outsideFlow'
import { insertPublishedFlow } from './publishedFlow'
import { fastClock } from './vendors/fastClock'
import { insertWhatsapp } from './vendors/whatsapp/insertWhatsapp'

/**
 * The app as a process for tests to kill, with its own data folder and one published chatbot `crash` whose calls go to
 * COUNT_URL, or with OUTSIDE_URL one of the real kinds that calls that; with WHATSAPP_KEYS it has a number. With
 * FAST_CLOCK (since when, in ms, and how much) its time goes faster. Sends its address to the parent when it listens.
 */
const config = parseConfig(process.env)
const log = pino({ level: config.logLevel })
const storage = await openStorage(
  config,
  () => {},
  (error) => log.warn({ err: error }, 'a connection to the database broke'),
)
const known = await storage.db.selectFrom('chatbots').select('id').where('slug', '=', 'crash').executeTakeFirst()
const calls = process.env.COUNT_URL !== undefined
const outside = process.env.OUTSIDE_URL
const { flow, flows } = outside ? outsideFlows(outside) : { flow: callingFlow({ calls, twice: calls }), flows: {} }
const place = known ? null : await insertPublishedFlow(storage.db, flow, 'crash', flows)

const count: Count = async (request, { idempotencyKey: key }) => {
  const response = await fetch(process.env.COUNT_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-process': String(process.pid) },
    body: JSON.stringify(request),
  })
  return response.json()
}

const ids = createIdSource(randomBytes)
const [from, speed] = process.env.FAST_CLOCK?.split(' ').map(Number) ?? []
const context = createContext({
  db: storage.db,
  config,
  registry: callingRegistry,
  clock: from === undefined ? () => new Date() : fastClock(from, speed).clock,
  ids,
  log,
})
const whatsapp = process.env.WHATSAPP_KEYS
if (place && whatsapp) await insertWhatsapp(context, place, JSON.parse(whatsapp))
const app = await buildApp(context, { effects: [counting(count)] })
drainOnClose(app)
process.send?.(await app.listen({ host: config.host, port: config.port }))
// Ends with its parent.
process.on('disconnect', () => app.close().finally(storage.close))
