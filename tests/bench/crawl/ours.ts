import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { registry } from '../../../blocks/registry'
import { createIdSource } from '../../../engine/flow/ids'
import { buildApp } from '../../../server/app'
import { register } from '../../../server/contracts/auth'
import { createChatbot } from '../../../server/contracts/chatbots'
import { readCrawl, startCrawl } from '../../../server/contracts/crawls'
import { listProjects } from '../../../server/contracts/projects'
import { setupLink } from '../../../server/modules/accounts/auth/setup'
import { parseConfig } from '../../../server/platform/config/config'
import { createContext } from '../../../server/platform/context'
import { openStorage } from '../../../server/platform/database/openStorage'
import { createClient } from '../../support/client'
import { measure } from './measure.mjs'

/** Parley as it runs, over its own PostgreSQL, asked for a crawl as its screen asks; only the pause between two calls of a host is lifted. */
const config = { ...parseConfig(process.env), pages: { pause: 0, atOnce: 8 } }
const storage = await openStorage(
  config,
  () => {},
  () => {},
)
const context = createContext({
  db: storage.db,
  config,
  registry,
  clock: () => new Date(),
  ids: createIdSource(randomBytes),
  log: pino({ level: 'error' }),
})
const app = await buildApp(context)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const setup_token = new URL((await setupLink(context)) ?? address).searchParams.get('setup_token') ?? undefined
const ada = await createClient(address)
await ada.call(register, {
  body: {
    first_name: 'Ada',
    last_name: 'Bench',
    email: 'ada@example.com',
    password: 'correct horse battery',
    setup_token,
  },
})
const { projects } = await ada.call(listProjects)
const pgid = projects[0]?.gid ?? ''
const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Bench' } })

await measure(async (url, max_pages) => {
  const params = { pgid, cgid: chatbot.gid }
  const body = { mode: 'crawl' as const, url: `${url}/`, depth: 10, max_pages, include: [], exclude: [] }
  const { gid } = (await ada.call(startCrawl, { params, body })).crawl
  const query = { state: 'found' as const, search: '', offset: 0, limit: 1 }
  for (;;) {
    const { crawl } = await ada.call(readCrawl, { params: { ...params, gid }, query })
    if (crawl.state === 'found') return crawl.pages.found
    if (crawl.state !== 'finding') throw new Error(`The crawl ended as ${crawl.state}: ${crawl.reason}`)
    await wait(100)
  }
})
await app.close()
await storage.close()
process.exit()
