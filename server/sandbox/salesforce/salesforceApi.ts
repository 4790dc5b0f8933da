import { type Answer, type Call, one, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { createMany, runComposite } from './composite'
import { refuseAsSalesforce } from './errors'
import { listArticles, showArticle } from './knowledge'
import { continueQuery, runQuery, search } from './query'
import { createRecord, fieldNames, findByExternalId, findRecord, presentRecord, updateRecord } from './records'
import { presentField, presentObject } from './schema'
import { atomically, objectOf, type SalesforceRecord, type SalesforceState } from './state'

export const BASE = '/services/data/{version}'
const DAY = 86_400

/** @returns the calls of the data API, and who may make them */
export function salesforceApi(state: SalesforceState) {
  // all that a day may hold is counted; whether one is too many is asked of the state, which a test may change
  const daily = new CallLimit(1_000_000, DAY)
  let used = 0

  function admit(call: Call, route: Route): void {
    if (!route.scopes) return
    const grant = state.grants.grantOf(bearerOf(call))
    if (!grant) throw new Refusal(refuseAsSalesforce('unauthorized'))
    call.grant = grant
    if (!route.scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(refuseAsSalesforce('forbidden'))
    used = daily.most - daily.count('', call.at).left
    if (used > state.dailyCalls) throw new Refusal(refuseAsSalesforce('tooMany'))
  }

  const headers = ({ path }: Call): Record<string, string> =>
    path.startsWith('/services/data/') ? { 'sforce-limit-info': `api-usage=${used}/${state.dailyCalls}` } : {}

  function revoke(call: Call): void {
    const grant = state.grants.holderOf(bearerOf(call) ?? '')
    if (grant) state.grants.revoke(grant)
  }

  const records = recordRoutes(state)
  const routes: Route[] = [
    {
      method: 'GET',
      path: '/services/data',
      handle: () =>
        ok(
          [66, 67].map((number) => ({
            label: `Release ${number}`,
            version: `${number}.0`,
            url: `/services/data/v${number}.0`,
          })),
        ),
    },
    api('GET', '/limits', () =>
      ok({ DailyApiRequests: { Max: state.dailyCalls, Remaining: Math.max(0, state.dailyCalls - used) } }),
    ),
    ...records,
    api('POST', '/composite', (call) => runComposite(state, records, call)),
    api('POST', '/composite/sobjects', ({ body }) => createMany(state, body)),
    api('GET', '/support/knowledgeArticles', (call) => ok(listArticles(state, call))),
    api('GET', '/support/knowledgeArticles/{id}', (call) => ok(showArticle(state, call))),
  ]
  return { routes, admit, headers, revoke }
}

const ok = (body: unknown, status = 200): Answer => ({ status, body })

const api = (method: Route['method'], path: string, handle: Route['handle']): Route => ({
  method,
  path: `${BASE}${path}`,
  scopes: ['api'],
  handle,
})

/** The calls that parts of a composite may be, too. */
function recordRoutes(state: SalesforceState): Route[] {
  const versionOf = ({ params }: Call) => params.version ?? ''
  const sobjectOf = ({ params }: Call) => objectOf(state, params.sobject ?? '')
  const find = (call: Call) => findRecord(state, sobjectOf(call), call.params.id ?? '')
  const savesDuplicates = ({ headers }: Call) =>
    /allowSave=true/i.test(String(headers['sforce-duplicate-rule-header'] ?? ''))
  const created = ({ id }: SalesforceRecord, more: object = {}) => ok({ id, success: true, errors: [], ...more }, 201)
  const byExternalId = (call: Call) =>
    findByExternalId(state, sobjectOf(call), call.params.field ?? '', call.params.value ?? '')
  const several = (found: readonly SalesforceRecord[], call: Call) =>
    ok(
      found.map(({ id, sobject }) => `/services/data/${versionOf(call)}/sobjects/${sobject}/${id}`),
      300,
    )

  return [
    api('GET', '/sobjects', () =>
      ok({ encoding: 'UTF-8', maxBatchSize: 200, sobjects: state.objects.map(presentObject) }),
    ),
    api('GET', '/sobjects/{sobject}/describe', (call) => {
      const sobject = sobjectOf(call)
      const since = Date.parse(String(call.headers['if-modified-since'] ?? ''))
      // times of headers have whole seconds
      if (Math.floor(sobject.changed.getTime() / 1_000) * 1_000 <= since) return { status: 304 }
      const body = { ...presentObject(sobject), fields: sobject.fields.map(presentField), recordTypeInfos: [] }
      return { status: 200, headers: { 'last-modified': sobject.changed.toUTCString() }, body }
    }),
    api('POST', '/sobjects/{sobject}', (call) =>
      created(createRecord(state, sobjectOf(call), call.body, savesDuplicates(call))),
    ),
    api('GET', '/sobjects/{sobject}/{id}', (call) => {
      const sobject = sobjectOf(call)
      const names = one(call.query.fields)?.split(',')
      return ok(presentRecord(find(call), sobject, versionOf(call), names && fieldNames(sobject, names)))
    }),
    api('PATCH', '/sobjects/{sobject}/{id}', (call) => {
      updateRecord(state, sobjectOf(call), find(call), call.body)
      return { status: 204 }
    }),
    api('DELETE', '/sobjects/{sobject}/{id}', (call) => {
      state.records.delete(find(call).id)
      return { status: 204 }
    }),
    api('GET', '/sobjects/{sobject}/{field}/{value}', (call) => {
      const [found, ...others] = byExternalId(call)
      if (found && others.length > 0) return several([found, ...others], call)
      if (!found) throw new Refusal(refuseAsSalesforce('notFound'))
      return ok(presentRecord(found, sobjectOf(call), versionOf(call)))
    }),
    api('PATCH', '/sobjects/{sobject}/{field}/{value}', (call) =>
      atomically(state, () => {
        const [found, ...others] = byExternalId(call)
        if (found && others.length > 0) return several([found, ...others], call)
        const { field = '', value = '' } = call.params
        if (found) {
          updateRecord(state, sobjectOf(call), found, call.body)
          return ok({ id: found.id, success: true, errors: [], created: false })
        }
        if (one(call.query.updateOnly) === 'true') throw new Refusal(refuseAsSalesforce('notFound'))
        const body = { ...(call.body as object), [field]: value }
        return created(createRecord(state, sobjectOf(call), body, savesDuplicates(call)), { created: true })
      }),
    ),
    api('GET', '/query', (call) => ok(runQuery(state, one(call.query.q) ?? '', call))),
    api('GET', '/query/{locator}', (call) => ok(continueQuery(state, call.params.locator ?? '', call))),
    api('POST', '/parameterizedSearch', (call) => ok(search(state, call.body, versionOf(call)))),
  ]
}
