import { sql } from 'kysely'
import { bench } from 'vitest'
import { readAnalytics } from '../../server/contracts/analytics'
import { listContacts } from '../../server/contracts/contacts'
import { countInbox, listInbox } from '../../server/contracts/inbox'
import { insertPublishedFlow, type PublishedFlow } from '../support/publishedFlow'
import { askingFlow } from './scale/askingFlow'
import { CONVERSATIONS, fillTenants, MESSAGES } from './scale/fillTenants'
import { aSecond, quantile, talk } from './scale/load'
import { type Processes, startProcesses } from './scale/processes'

/**
 * One process over a database of 10, 100 and 1,000 tenants with 10,000 messages each, up to 10^7: what a turn takes, what a member waits
 * for, and how large it is. `PARLEY_BENCH_TENANTS=10,100` for fewer.
 */
const TENANTS = (process.env.PARLEY_BENCH_TENANTS ?? '10,100,1000').split(',').map(Number)
const SLUG = 'tenant'
const TIMES = 30
const SECONDS = 10

async function measureAll(): Promise<void> {
  const processes = await startProcesses(1)
  try {
    const { db, pgid } = processes
    const { id } = await db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirstOrThrow()
    const tenants = [await insertPublishedFlow(db, askingFlow(), SLUG, {}, id)]
    await fillTenants(db, tenants)
    const rows = []
    for (const count of TENANTS) {
      const added: PublishedFlow[] = []
      while (tenants.length + added.length < count) added.push(await insertPublishedFlow(db, askingFlow()))
      const from = performance.now()
      await fillTenants(db, added)
      console.info(`${count} tenants are filled after ${((performance.now() - from) / 1_000).toFixed(0)} s`)
      tenants.push(...added)
      rows.push(await measure(processes, count))
      console.table(rows.slice(-1))
    }
    console.table(rows)
  } finally {
    await processes.close()
  }
}

async function measure({ apps, db, owner, pgid }: Processes, tenants: number) {
  const params = { pgid }
  await talk(apps, SLUG, 8, 3)
  const turns = await talk(apps, SLUG, 8, SECONDS)
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const read = {
    'inbox: all': () => owner.call(listInbox, { params, query: { view: 'all' } }),
    'inbox: counts': () => owner.call(countInbox, { params }),
    'search: a frequent word': () => owner.call(listInbox, { params, query: { view: 'all', search: 'w2a' } }),
    'search: two rare words': () => owner.call(listInbox, { params, query: { view: 'all', search: 'w15000a w9000a' } }),
    contacts: () => owner.call(listContacts, { params }),
    'analytics: 30 days': () =>
      owner.call(readAnalytics, { params, query: { from: day(30), to: day(0), zone: 'UTC' } }),
  }
  const waits: Record<string, string> = {}
  for (const [name, work] of Object.entries(read)) waits[`${name}, ms`] = await p50AndP95(work)
  const { rows } = await sql<{ whole: string; messages_table: string; words_index: string }>`
    select pg_size_pretty(pg_database_size(current_database())) as whole,
      pg_size_pretty(pg_total_relation_size('messages')) as messages_table,
      pg_size_pretty(pg_relation_size('messages_words')) as words_index`.execute(db)
  return {
    tenants,
    messages: tenants * CONVERSATIONS * MESSAGES,
    'turns a second': aSecond(turns).toFixed(0),
    'turn, ms': `${quantile(turns, 0.5).toFixed(0)} / ${quantile(turns, 0.95).toFixed(0)}`,
    ...waits,
    ...rows[0],
  }
}

async function p50AndP95(work: () => Promise<unknown>): Promise<string> {
  const took: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const from = performance.now()
    await work()
    took.push(performance.now() - from)
  }
  return `${quantile({ took }, 0.5).toFixed(1)} / ${quantile({ took }, 0.95).toFixed(1)}`
}

bench('many tenants', measureAll, { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 })
