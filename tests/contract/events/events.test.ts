import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyRoute } from '../../../server/access/register'
import { parseConfig } from '../../../server/platform/config/config'
import { parseNetworks } from '../../../server/platform/outbound/addresses'
import { pathOf } from '../../support/client'
import { startTestServer, type TestServer } from '../../support/server'
import { createWorld, type Shared, startShared } from './world'
import { routesThatDoNot, routesThatTell } from './writes'

/** Every route that changes something either tells of it in its transaction, or is named with the reason why not. */
const modules = import.meta.glob<Record<string, unknown>>('../../../server/contracts/*.ts', { eager: true })
const writing = Object.values(modules)
  .flatMap((module) => Object.values(module).filter(isRoute))
  .filter(({ method }) => method !== 'GET')
const nameOf = ({ method, path }: Pick<AnyRoute, 'method' | 'path'>) => `${method} ${path}`

function isRoute(value: unknown): value is AnyRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

let server: TestServer
let shared: Shared
beforeAll(async () => {
  server = await startTestServer({
    config: {
      outboundAllow: parseNetworks('127.0.0.0/8'),
      projectNetworks: true,
      localModels: true,
      // certificates are uploaded there alone
      domains: parseConfig({ TLS_MODE: 'manual' }).domains,
    },
  })
  // what calls leave to the background would write events of its own, and take deleted projects along
  await server.context.jobs.close()
  shared = await startShared(server)
})
afterAll(async () => {
  await server.close()
  await shared.close()
})

test('each route that writes says which events it writes, or why none', () => {
  const said = [...routesThatTell.map(({ route }) => route), ...routesThatDoNot.flatMap(([, ...routes]) => routes)]
  expect(said.map(nameOf).toSorted()).toEqual(writing.map(nameOf).toSorted())
})

describe('a call that works writes its events, in its project and by whom', () => {
  test.each(routesThatTell.map((each) => [nameOf(each.route), each] as const))(
    '%s',
    async (_, { route, events, call }) => {
      const world = await createWorld(shared)
      const {
        by = world.owner,
        params = {},
        query = {},
        body,
        bytes,
        headers,
        turn = false,
        actor = 'user',
      } = await call(world)
      const { db } = server.context
      const { before } = await db
        .selectFrom('events')
        .select(({ fn, val }) => fn.coalesce(fn.max('id'), val('0')).as('before'))
        .executeTakeFirstOrThrow()
      const path = `${pathOf(route.path, params)}?${new URLSearchParams(query)}`
      const answer = await by.send(route.method, path, bytes ?? body ?? {}, headers)
      expect(answer.status, answer.text).toBe(200)
      const written = await db
        .selectFrom('events')
        .select(['type', 'correlation', 'actor', 'user_id', 'at'])
        .where('id', '>', before)
        .orderBy('id')
        .execute()
      const own = turn
        ? written.filter(({ type }) => /^(conversation|message|run)\./.test(type))
        : written.filter(({ correlation }) => correlation === answer.headers.get('x-request-id'))
      expect([...new Set(own.map(({ type }) => type))].toSorted()).toEqual(events.toSorted())
      if (!turn) expect(new Set(own.map((event) => event.actor))).toEqual(new Set(actor.split(' ')))
    },
  )
})
