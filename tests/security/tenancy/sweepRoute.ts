import type { AnyRoute } from '../../../server/access/register'
import { rolesOf } from '../../../server/access/roles'
import { endBackgroundWork } from '../../support/backgroundWork'
import { pathOf, type TestClient } from '../../support/client'
import { jsonSchemaOf, sample } from '../../support/sample'
import type { Registered, TestServer } from '../../support/server'
import type { Content } from './content'
import { answeredAsNobodys, forEverybody, mustBeSaid, notRows, places, refusedAlsoToOwners, streams } from './known'
import { type Parameter, parametersOf, replaceIn, sampleWith } from './parameters'
import { createTenant, newGid, type Seed, type Tenant } from './seeds'

export interface People {
  /** who makes the project that is attacked from; then a member with each role alone, by role number */
  attackers: Map<number, Registered & { userId: string }>
  /** the owner of the project that is attacked, and somebody else in it */
  attacked: (Registered & { userId: string })[]
}

/**
 * Tries, for each parameter of a route that may name a row, a row of a project that the caller has nothing to do with, while all other
 * parameters are the caller's own: as each role.
 * @returns what is wrong, in words: an answer that is neither 404 nor 403, a foreign row that changed or was shown, a parameter whose
 * rows nobody can seed, and a seed that its own owner is not served for (which would prove nothing)
 */
export async function sweepRoute(
  server: TestServer,
  people: People,
  route: AnyRoute,
  seeds: Readonly<Record<string, Seed>>,
  content: Content,
): Promise<string[]> {
  const parameters = parametersOf(route).filter(({ kind }) => !(kind in notRows))
  const seedOf = ({ kind }: Parameter) => seeds[`${route.path} ${kind}`] ?? seeds[kind]
  const unknown = parameters.filter((parameter) => !seedOf(parameter))
  if (unknown.length > 0) return unknown.map(({ kind }) => `name a seed for ${kind}`)
  if (parameters.length === 0) return []

  const [ours, theirs] = await Promise.all([attackersProject(server, people), attackedProject(server, people)])
  const idsOf = async (tenant: Tenant) => {
    const ids = new Map<Parameter, string>()
    for (const parameter of parameters) ids.set(parameter, (await seedOf(parameter)?.(tenant)) ?? '')
    return ids
  }
  const own = await idsOf(ours)
  const foreign = await idsOf(theirs)
  // what seeding caused ends before the rows are looked at
  await endBackgroundWork(server)
  const before = await content.of(theirs.projectId)
  const problems: string[] = []
  const id = `${route.method} ${route.path}`

  for (const parameter of parameters) {
    const name = `${parameter.part}.${parameter.path.join('.')}`
    if (`${id} ${name}` in forEverybody) continue
    // also with the secret of the foreign conversation: only whose chatbot's it is keeps them apart
    const token = parameter.kind === 'conversations.conversation' ? theirs.token : ours.token
    const send = (client: TestClient, foreignId = '') =>
      call(client, route, parameters, own, new Map([[parameter, foreignId]]), parameter, token)
    for (const { client, role } of callersOf(route, people, ours)) {
      const answer = await send(client, foreign.get(parameter))
      if (answer.text.includes(theirs.mark)) problems.push(`${name}, role ${role}: shows what is not the caller's`)
      const mayCall =
        typeof route.access !== 'object' ||
        ('feature' in route.access && rolesOf(route.access.feature).some((each) => each === role))
      if (mayCall && `${id} ${name}` in answeredAsNobodys) {
        const { status } = await send(client, nobodys(foreign.get(parameter)))
        if (answer.status !== status)
          problems.push(`${name}, role ${role}: ${answer.status}, but ${status} for an id of nobody`)
      } else if (answer.status !== 403 && !(answer.status === 404 && (mayCall || parameter.kind === 'pgid')))
        problems.push(`${name}, role ${role}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
  }
  await endBackgroundWork(server)
  for (const [table, rows] of await content.of(theirs.projectId))
    if (rows !== before.get(table)) problems.push(`${table}: changed what is not the caller’s`)

  // by its own owner the same row is found: else the answers above say nothing
  for (const parameter of parameters) {
    const client = typeof route.access === 'object' || route.access === 'user' ? theirs.owner : theirs.guest
    if (['pgid', 'cgid', 'fid', 'chat.slug'].includes(parameter.kind) || streams.has(id)) continue
    if (`${id} ${parameter.part}.${parameter.path.join('.')}` in forEverybody) continue
    const answer = await call(client, route, parameters, foreign, new Map(), parameter, theirs.token)
    if (answer.status >= 400 && answer.status !== refusedAlsoToOwners[id]?.status)
      problems.push(`${parameter.kind}: the owner gets ${answer.status} ${answer.text.slice(0, 200)}`)
    // what was there is gone after one call
    if (route.method === 'DELETE') break
  }
  return problems
}

/** An id of the same form that no row has. */
const nobodys = (id = '') => (/^\d+$/.test(id) ? '999999999' : newGid())

async function attackersProject(server: TestServer, { attackers }: People): Promise<Tenant> {
  const members = [...attackers].map(([role, { userId, user }]) => ({ userId, gid: user.ui, roles: [role] }))
  return createTenant(server, attackers.get(1) as Registered, members)
}

async function attackedProject(server: TestServer, { attacked }: People): Promise<Tenant> {
  const members = attacked.map(({ userId, user }, at) => ({ userId, gid: user.ui, roles: [at === 0 ? 1 : 3] }))
  return createTenant(server, attacked[0] as Registered, members)
}

function callersOf({ access }: AnyRoute, { attackers }: People, { guest }: Tenant) {
  if (access === 'public' || access === 'guest' || access === 'visitor') return [{ client: guest, role: 0 }]
  const roles = access === 'user' ? [1] : [1, 2, 3, 4, 5, 6]
  return roles.map((role) => ({ client: attackers.get(role) as TestClient, role }))
}

/** A call that is valid but for the ids that `instead` puts in the place of the caller's own. */
async function call(
  client: TestClient,
  route: AnyRoute,
  parameters: readonly Parameter[],
  own: ReadonlyMap<Parameter, string>,
  instead: ReadonlyMap<Parameter, string>,
  tried: Parameter,
  token: string,
) {
  const idOf = (parameter: Parameter) => instead.get(parameter) ?? own.get(parameter) ?? ''
  const saidIn = route.method === 'GET' ? 'query' : 'body'
  const fill = (part: Parameter['part']) => {
    const schema = jsonSchemaOf(route[part])
    const start = part === tried.part ? sampleWith(schema, tried.path, idOf(tried)) : (sample(schema) as unknown)
    const said = Object.entries(part === saidIn ? (mustBeSaid[`${route.method} ${route.path}`] ?? {}) : {}).reduce(
      (value, [at, given]) => replaceIn(value, at.split('.'), given),
      start,
    )
    return parameters
      .filter((parameter) => parameter.part === part)
      .reduce((value, parameter) => replaceIn(value, parameter.path, asSent(parameter, idOf(parameter))), said)
  }
  const query = new URLSearchParams(
    Object.entries(fill('query') as object).map(([name, value]) => [name, name === 'token' ? token : String(value)]),
  )
  const path = pathOf(route.path, { ...(fill('params') as object), ...places })
  const { type, anyOf, oneOf } = jsonSchemaOf(route.body)
  // a body without a schema is a file
  const isFile = !(type ?? anyOf ?? oneOf)
  return client.send(
    route.method,
    query.size > 0 ? `${path}?${query}` : path,
    route.method === 'GET' ? undefined : isFile ? 'a file' : fill('body'),
    {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(isFile && { 'content-type': 'application/octet-stream' }),
    },
  )
}

/** Ids that are numbers are sent as such. */
const asSent = ({ kind }: Parameter, id: string): unknown => (kind.endsWith('model_id') ? Number(id) : id)
