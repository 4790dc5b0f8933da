import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { hashToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import { parseJson } from '../../../platform/http/parseJson'
import { answer, idOf, listOf, parsed } from './answers'
import { registerDiscovery } from './discovery'
import { userFilter } from './filter'
import { registerGroups } from './groupRoutes'
import { createGroups } from './groups'
import { patchBody, patched } from './patch'
import { createPeople } from './people'
import { answerScimError, ScimError } from './scimError'
import { presentUser, userBody, wantedOf } from './userResource'

export const SCIM_PATH = '/scim/v2'
/** Bytes of a body: of a group with some thousand people. */
const MOST_BYTES = 250_000
const MOST_LISTED = 200
/** Calls of a project, and wrong tokens of an address, a minute. */
const CALLS = 600
const WRONG_TOKENS = 30
const USE_NOTED_EVERY = 60_000

const listQuery = z.object({
  filter: z.string().max(500).optional(),
  startIndex: z.coerce.number().int().catch(1),
  count: z.coerce.number().int().catch(100),
})

/**
 * Serves SCIM 2.0 (RFC 7643, 7644) for the users and groups of one project: to an organisation's directory, by the
 * project's token. A call sees and changes the people of that project alone.
 */
export function serveScim(app: FastifyInstance, context: ServerContext, rightsChanged: (userId: string) => void): void {
  const { db, clock, config, limits } = context
  const wrong = limits.attempts('wrong SCIM tokens of an address', WRONG_TOKENS)
  const calls = limits.attempts('SCIM calls of a project', CALLS)
  const projects = new WeakMap<FastifyRequest, string>()
  const base = config.publicUrl + SCIM_PATH

  app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      const types = ['application/scim+json', 'application/json']
      scope.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => {
        const read = parseJson(body as Buffer)
        if ('refused' in read) done(new ScimError(400, 'The body is no JSON.', 'invalidSyntax'))
        else done(null, read.value)
      })
      scope.setErrorHandler(answerScimError)
      scope.addHook('onRequest', async (request) => {
        projects.set(request, await authenticate(request))
      })

      registerDiscovery(scope, base, MOST_LISTED)
      scope.get('/Users', async (request, reply) => {
        const query = parsed(listQuery, request.query)
        const filter = query.filter === undefined ? null : userFilter(query.filter)
        const start = Math.max(1, query.startIndex)
        const count = Math.min(MOST_LISTED, Math.max(0, query.count))
        const { total, people } = await peopleOf(request).list(filter, start, count)
        return answer(
          reply,
          listOf(
            people.map((person) => presentUser(person, base)),
            total,
            start,
          ),
        )
      })
      scope.post('/Users', async (request, reply) => {
        const person = await peopleOf(request).create(wantedOf(parsed(userBody, request.body), null))
        const user = presentUser(person, base)
        return answer(reply.status(201).header('location', user.meta.location), user)
      })
      scope.get('/Users/:id', async (request, reply) =>
        answer(reply, presentUser(await peopleOf(request).find(idOf(request)), base)),
      )
      scope.put('/Users/:id', async (request, reply) => {
        const body = parsed(userBody, request.body)
        const person = await peopleOf(request).update(idOf(request), (present) => wantedOf(body, present))
        return answer(reply, presentUser(person, base))
      })
      scope.patch('/Users/:id', async (request, reply) => {
        const body = parsed(patchBody, request.body)
        const person = await peopleOf(request).update(idOf(request), (present) => patched(present, body))
        return answer(reply, presentUser(person, base))
      })
      scope.delete('/Users/:id', async (request, reply) => {
        await peopleOf(request).remove(idOf(request))
        return reply.status(204).send()
      })
      registerGroups(scope, base, (request) => createGroups(...actingOn(request)))
      scope.all('/*', () => {
        throw new ScimError(404, 'This service has Users, Groups, ServiceProviderConfig, ResourceTypes and Schemas.')
      })
    },
    { prefix: SCIM_PATH },
  )

  const peopleOf = (request: FastifyRequest) => createPeople(...actingOn(request))

  function actingOn(request: FastifyRequest): Parameters<typeof createPeople> {
    const projectId = projects.get(request)
    if (projectId === undefined) throw new ApiError('unauthenticated')
    const { id: correlation, ip } = request
    const origin = { projectId, by: { actor: 'system' as const }, correlation, at: clock(), address: ip.slice(0, 45) }
    return [context, projectId, origin, rightsChanged]
  }

  /** @throws ApiError unauthenticated, too_many_requests, project_suspended */
  async function authenticate(request: FastifyRequest): Promise<string> {
    const address = callerAddress(request.ip)
    await wrong.take(address)
    const [, token] = /^Bearer (\S{20,200})$/.exec(request.headers.authorization ?? '') ?? []
    const row = token
      ? await db
          .selectFrom('scim_tokens')
          .innerJoin('projects', 'projects.id', 'scim_tokens.project_id')
          .select(['project_id', 'last_used_at', 'suspended_at'])
          .where('token_hash', '=', hashToken(token))
          .executeTakeFirst()
      : undefined
    if (!row)
      throw new ApiError('unauthenticated', { message: 'Send the project’s token as “Authorization: Bearer …”.' })
    await wrong.forgive(address)
    if (row.suspended_at) throw new ApiError('project_suspended')
    await calls.take(row.project_id)
    const now = clock()
    if (now.getTime() - (row.last_used_at?.getTime() ?? 0) > USE_NOTED_EVERY)
      await db.updateTable('scim_tokens').set({ last_used_at: now }).where('project_id', '=', row.project_id).execute()
    return row.project_id
  }
}
