import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { registry } from '../../../blocks/registry'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { plainEffect, reading } from '../../../tests/support/effects'
import { parseConfig } from '../config/config'
import { createContext, type ServerContext } from '../context'
import { defineJob } from '../jobs/defineJob'
import { composeModules } from './composeModules'
import { type AnyModule, defineModule } from './defineModule'

let database: TestDatabase
let clock: TestClock
let context: ServerContext
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  const ids = () => randomBytes(8).toString('hex')
  const log = pino({ level: 'silent' })
  context = createContext({ db: database.db, config: parseConfig({}), registry, clock, ids, log })
})
afterEach(() => database.close())

const plain = { purpose: '', needs: {}, tables: [] }
const handlerOf = (name: string) => reading(plainEffect(name), async () => name)

test('a module is made once, after what it needs, whatever the order of the list, and is given what that provides', () => {
  const made: string[] = []
  const low = defineModule({
    ...plain,
    name: 'low',
    create() {
      made.push('low')
      return { provides: { count: 2 } }
    },
  })
  const high = (name: string) =>
    defineModule({
      ...plain,
      name,
      needs: { low },
      create(_, { low: { count } }) {
        made.push(name)
        return { provides: count * 2 }
      },
    })
  const [one, other] = [high('one'), high('other')]
  const composition = composeModules(fastify(), context, [one, other, low])
  expect(made).toEqual(['low', 'one', 'other'])
  expect(composition.provided(one)).toBe(4)
  expect(() => composition.provided(high('stranger'))).toThrow('stranger is not part')
})

test('modules that need each other, share a name, a kind of job or an effect are refused', () => {
  const compose = (...modules: AnyModule[]) => composeModules(fastify(), context, modules)
  const needs: Record<string, AnyModule> = {}
  const one: AnyModule = { ...plain, name: 'one', needs, create: () => ({}) }
  needs.other = { ...plain, name: 'other', needs: { one }, create: () => ({}) }
  expect(() => compose(one)).toThrow('one → other → one')
  const named = (name: string) =>
    defineModule({ ...plain, name, create: () => ({ effects: [handlerOf(name.slice(0, 1))] }) })
  expect(() => compose(named('twin'), named('twin'))).toThrow('Two modules are called twin')
  expect(() => compose(named('a'), named('ab'))).toThrow("'a' has a handler already")
  const job = defineJob('errand', z.null()).handledBy(async () => undefined)
  const working = (name: string) => defineModule({ ...plain, name, create: () => ({ jobs: [job] }) })
  expect(() => compose(working('b'), working('c'))).toThrow("'errand' has a handler already")
})

test('a running app has the routes, jobs, sweeps and effects of its modules, and ends them in their order', async () => {
  const seen: string[] = []
  const note = (what: string) => async () => void seen.push(what)
  const errand = defineJob('errand', z.string())
  const [say, ask] = [handlerOf('say'), handlerOf('ask')]
  const low = defineModule({ ...plain, name: 'low', create: () => ({ close: note('low closed') }) })
  const shop = defineModule({
    ...plain,
    name: 'shop',
    needs: { low },
    create: () => ({
      routes: (app) => app.get('/shop', async () => 'open'),
      jobs: [
        errand.handledBy(async (what) => {
          seen.push(what)
          return undefined
        }),
      ],
      sweeps: [{ kind: 'sweep-shop', every: 60_000, sweep: note('swept') }],
      effects: [say, ask],
      open: note('opened'),
      stop: () => void seen.push('stopped'),
      close: note('shop closed'),
    }),
  })
  const app = fastify()
  const instead = handlerOf('say')
  composeModules(app, context, [shop], [instead])
  expect([...context.effects.values()]).toEqual([instead, ask])
  expect(context.effects.get('say')).toBe(instead)
  expect((await app.inject('/shop')).body).toBe('open')
  await context.jobs.schedule(context.db, errand, { payload: 'bought', runAt: clock(), projectId: null })
  await app.listen({ port: 0, host: '127.0.0.1' })
  await expect.poll(() => seen.toSorted()).toEqual(['bought', 'opened', 'swept'])
  const nextSweeps = async () => {
    const jobs = await context.db.selectFrom('jobs').select(['kind', 'run_at']).orderBy('kind').execute()
    return jobs.map(({ kind, run_at }) => [kind, (run_at.getTime() - clock().getTime()) / 60_000])
  }
  await expect.poll(nextSweeps).toEqual([
    ['event-months', 60],
    ['sweep-shop', 1],
  ])
  await app.close()
  expect(seen.slice(3)).toEqual(['stopped', 'shop closed', 'low closed'])
})
