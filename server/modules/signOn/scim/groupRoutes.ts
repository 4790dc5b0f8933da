import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { answer, idOf, listOf, parsed } from './answers'
import { groupFilter } from './filter'
import { groupBody, groupPatchBody, patchedGroup, presentGroup, wantedGroup } from './groupResource'
import type { createGroups } from './groups'

/** Groups of one answer: each of them may hold everybody, unless the directory asks for them without. */
const MOST_LISTED = 200
const MOST_WITH_PEOPLE = 20

const oneQuery = z.object({ excludedAttributes: z.string().max(500).optional() })
const listQuery = oneQuery.extend({
  filter: z.string().max(500).optional(),
  startIndex: z.coerce.number().int().catch(1),
  count: z.coerce.number().int().catch(100),
})

/**
 * Routes for the groups of a project's directory (RFC 7643, 4.2).
 * @param base the address of the service
 */
export function registerGroups(
  scope: FastifyInstance,
  base: string,
  groupsOf: (request: FastifyRequest) => ReturnType<typeof createGroups>,
): void {
  const withPeople = ({ excludedAttributes = '' }: z.infer<typeof oneQuery>) =>
    !excludedAttributes
      .toLowerCase()
      .split(/[\s,]+/)
      .includes('members')
  const read = async (request: FastifyRequest, id: string, isFull = true) => {
    const { group, people } = await groupsOf(request).find(id, isFull)
    return presentGroup(group, people, base)
  }

  scope.get('/Groups', async (request, reply) => {
    const query = parsed(listQuery, request.query)
    const filter = query.filter === undefined ? null : groupFilter(query.filter)
    const start = Math.max(1, query.startIndex)
    const isFull = withPeople(query)
    const count = Math.min(isFull ? MOST_WITH_PEOPLE : MOST_LISTED, Math.max(0, query.count))
    const { total, groups } = await groupsOf(request).list(filter, { start, count, withPeople: isFull })
    const resources = groups.map(({ group, people }) => presentGroup(group, people, base))
    return answer(reply, listOf(resources, total, start))
  })
  scope.post('/Groups', async (request, reply) => {
    const made = await groupsOf(request).create(wantedGroup(parsed(groupBody, request.body)))
    const group = await read(request, made.gid)
    return answer(reply.status(201).header('location', group.meta.location), group)
  })
  scope.get('/Groups/:id', async (request, reply) =>
    answer(reply, await read(request, idOf(request), withPeople(parsed(oneQuery, request.query)))),
  )
  scope.put('/Groups/:id', async (request, reply) => {
    const body = parsed(groupBody, request.body)
    const { gid } = await groupsOf(request).update(idOf(request), () => wantedGroup(body))
    return answer(reply, await read(request, gid))
  })
  // without the group in the answer, which may hold thousands of people (RFC 7644, 3.5.2)
  scope.patch('/Groups/:id', async (request, reply) => {
    const body = parsed(groupPatchBody, request.body)
    await groupsOf(request).update(idOf(request), (present) => patchedGroup(present, body))
    return reply.status(204).send()
  })
  scope.delete('/Groups/:id', async (request, reply) => {
    await groupsOf(request).remove(idOf(request))
    return reply.status(204).send()
  })
}
