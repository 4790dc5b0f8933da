import { type GoogleStandIn, startGoogleStandIn } from '../../../../server/sandbox/google/google'
import type { StandInOptions } from '../../../../server/sandbox/standIn'
import { type Additions, type Contract, hasContracts, joinContracts, readContract } from '../contract'
import { onlyOurs } from '../ourCalls'

/** What the converted documents leave out, and Google's pages describe. */
const SEARCH: Additions = {
  paths: {
    '/v4/spreadsheets/{spreadsheetId}/developerMetadata:search': {
      post: {
        parameters: [
          { name: 'spreadsheetId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'fields', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['dataFilters'],
                additionalProperties: false,
                properties: { dataFilters: { type: 'array', items: { $ref: '#/components/schemas/DataFilter' } } },
              },
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    matchedDeveloperMetadata: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: {
                          developerMetadata: { $ref: '#/components/schemas/DeveloperMetadata' },
                          dataFilters: { type: 'array', items: { $ref: '#/components/schemas/DataFilter' } },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          default: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/GoogleError' } } },
          },
        },
      },
    },
  },
}

/** The token endpoint's grant of service accounts, beside those that the document knows. */
const ASSERTION = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** @returns the contract of Sheets, Drive and OAuth in one; null where there is none beside the repository */
export function readGoogleContract(): Contract | null {
  if (!hasContracts) return null
  const oauth = readContract('google/oauth.openapi.json')
  const assertions: Contract = {
    ...oauth,
    request: (call) => {
      const body = call.body as { grant_type?: string; assertion?: string } | undefined
      if (call.path !== '/token' || body?.grant_type !== ASSERTION) return oauth.request(call)
      const unknown = Object.keys(body).filter((name) => name !== 'grant_type' && name !== 'assertion')
      return unknown.map((name) => `body must NOT have additional properties (${name})`)
    },
  }
  const drive = readContract('google/drive.openapi.json')
  return onlyOurs(
    'google',
    joinContracts(readContract('google/sheets.openapi.json', { additions: SEARCH }), drive, assertions),
  )
}

let contract: Contract | null | undefined

/** Starts the stand-in of Google, both of whose sides are checked by the contract where there is one. */
export async function startGoogle(options: StandInOptions): Promise<GoogleStandIn> {
  contract ??= readGoogleContract()
  return startGoogleStandIn({ ...options, contract: options.contract ?? contract ?? undefined })
}
