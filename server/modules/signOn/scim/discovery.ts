import type { FastifyInstance } from 'fastify'
import { answer, listOf } from './answers'
import { GROUP_SCHEMA } from './groupResource'
import { ScimError } from './scimError'
import { USER_SCHEMA } from './userResource'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0'

/**
 * Routes by which a directory learns what the service can do and which attributes it keeps (RFC 7644, 4).
 * @param base the address of the service
 * @param maxResults what a list has at most
 */
export function registerDiscovery(scope: FastifyInstance, base: string, maxResults: number): void {
  scope.get('/ServiceProviderConfig', (_, reply) => answer(reply, serviceProviderConfig(base, maxResults)))
  for (const [path, all] of [
    ['/ResourceTypes', resourceTypes(base)],
    ['/Schemas', schemas(base)],
  ] as const) {
    scope.get(path, (_, reply) => answer(reply, listOf(all, all.length, 1)))
    scope.get<{ Params: { id: string } }>(`${path}/:id`, ({ params }, reply) => {
      const found = all.find(({ id }) => id === params.id)
      if (!found) throw new ScimError(404, 'There is no such resource.')
      return answer(reply, found)
    })
  }
}

const resourceTypes = (base: string) =>
  [
    { id: 'User', schema: USER_SCHEMA },
    { id: 'Group', schema: GROUP_SCHEMA },
  ].map(({ id, schema }) => ({
    schemas: [`${SCHEMA}:ResourceType`],
    ...{ id, name: id, endpoint: `/${id}s`, schema },
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  }))

/** An attribute as RFC 7643 (7) describes it: what most have, and what this one has otherwise. */
const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
})
const complex = (name: string, subAttributes: object[], more: object = {}) => ({
  ...attribute(name, { type: 'complex', ...more }),
  subAttributes,
})

/** The attributes that are kept, and no others. */
const schemas = (base: string) =>
  [
    {
      ...{ id: USER_SCHEMA, name: 'User', description: 'A person of the project' },
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        complex('name', [attribute('givenName'), attribute('familyName')]),
        attribute('active', { type: 'boolean' }),
        // set as a person is made: afterwards an account's address is its person's own
        complex('emails', [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })], {
          multiValued: true,
          mutability: 'immutable',
        }),
        complex('roles', [attribute('value')], { multiValued: true }),
      ],
    },
    {
      ...{ id: GROUP_SCHEMA, name: 'Group', description: 'People who have the group’s roles' },
      attributes: [
        attribute('displayName', { required: true, uniqueness: 'server' }),
        complex(
          'members',
          [
            attribute('value', { mutability: 'immutable' }),
            attribute('$ref', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
            attribute('type', { canonicalValues: ['User'], mutability: 'immutable' }),
          ],
          { multiValued: true },
        ),
      ],
    },
  ].map((schema) => ({
    ...{ schemas: [`${SCHEMA}:Schema`], ...schema },
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))

const serviceProviderConfig = (base: string, maxResults: number) => ({
  schemas: [`${SCHEMA}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The project’s token, from its settings' },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})
