import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyRoute, registerRoute } from '../../server/access/register'
import { defineRoute, gid, ok } from '../../server/contracts/route'
import type { ServerContext } from '../../server/platform/context'
import { ApiError } from '../../server/platform/errors'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { type Content, openContent } from './tenancy/content'
import { seeds } from './tenancy/seeds'
import { type People, sweepRoute } from './tenancy/sweepRoute'

const modules = import.meta.glob<Record<string, unknown>>('../../server/contracts/*.ts', { eager: true })
const routes = Object.values(modules).flatMap((module) => Object.values(module).filter(isRoute))
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

function isRoute(value: unknown): value is AnyRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** As somebody might write it in a hurry: deletes by the id alone. */
const deleteShelf = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/shelves/:gid',
  access: { feature: 'contacts.delete' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
const forgetsTheProject = (app: FastifyInstance, context: ServerContext) =>
  registerRoute(app, context, deleteShelf, async ({ params }) => {
    const { numDeletedRows } = await context.db.deleteFrom('contacts').where('gid', '=', params.gid).executeTakeFirst()
    if (Number(numDeletedRows) === 0) throw new ApiError('not_found')
    return {}
  })

let server: TestServer
let people: People
let content: Content
beforeAll(async () => {
  server = await startTestServer({ plant: forgetsTheProject })
  people = await register(server)
  content = await openContent(server.connection)
})
afterAll(async () => {
  await content.close()
  await server.close()
})

async function register(of: TestServer): Promise<People> {
  const person = async (): Promise<Registered & { userId: string }> => {
    const registered = await of.register()
    const user = of.context.db.selectFrom('users').select('id').where('gid', '=', registered.user.ui)
    return Object.assign(registered, { userId: (await user.executeTakeFirstOrThrow()).id })
  }
  const attackers = new Map<number, Registered & { userId: string }>()
  for (const role of [1, 2, 3, 4, 5, 6]) attackers.set(role, await person())
  return { attackers, attacked: [await person(), await person()] }
}

describe('a row of another project is neither found nor changed by any parameter, in any role', () => {
  test.each(named)('%s', async (_, route) => {
    expect(await sweepRoute(server, people, route, seeds, content)).toEqual([])
  })
})

test('a route that forgets the project is found', async () => {
  const contact = seeds['contacts.before']
  if (!contact) throw new Error('no seed for a contact')
  const problems = await sweepRoute(server, people, deleteShelf, { ...seeds, 'shelves.gid': contact }, content)
  expect(problems).toContainEqual(expect.stringContaining('params.gid, role 1: 200'))
  expect(problems).toContain('contacts: changed what is not the caller’s')
})

test('an id of a kind that nobody can seed is found', async () => {
  expect(await sweepRoute(server, people, deleteShelf, seeds, content)).toEqual(['name a seed for shelves.gid'])
})
