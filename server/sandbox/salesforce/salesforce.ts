import { type Client, type Grant, Grants, type Person } from '../oauth/grants'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { refuseAsSalesforce } from './errors'
import { makeId } from './ids'
import { salesforceKinds } from './kinds'
import { createRecord } from './records'
import { salesforceApi } from './salesforceApi'
import { ORGANIZATION, SALESFORCE_SCOPES, salesforceOAuth } from './salesforceOAuth'
import { type Field, newSchema } from './schema'
import { objectOf, recordsOf, type SalesforceRecord, type SalesforceState, type Value } from './state'

export interface SalesforceStandIn extends StandIn {
  /** as `SALESFORCE_CLIENT_ID` and `SALESFORCE_CLIENT_SECRET` */
  client: Client
  state: SalesforceState
  /** adds a record that is there already */
  add(sobject: string, values: Record<string, Value>): SalesforceRecord
  all(sobject: string): SalesforceRecord[]
  /** adds or replaces a field, such as one that the org requires */
  addField(sobject: string, field: Pick<Field, 'name' | 'label'> & Partial<Field>): void
  /** gives tokens without the consent page. Default: all scopes */
  issue(scopes?: readonly string[]): Grant
}

export interface SalesforceOptions extends StandInOptions {
  /** whether refresh tokens are used once, as a switch of the application says; default: not */
  rotates?: boolean
  /** how long a session lives, which no answer says; default: two hours */
  sessionSeconds?: number
}

/** Starts a stand-in of Salesforce: OAuth, records, SOQL, composite and knowledge articles. */
export async function startSalesforceStandIn(options: SalesforceOptions): Promise<SalesforceStandIn> {
  const { clock, seed = 1, domain = 'example.com', rotates = false, sessionSeconds = 7_200 } = options
  const random = createSeededRandom(seed)
  const people: [Person] = [{ id: makeId('005', 1), name: 'Ada Example', email: `ada@${domain}` }]
  const client = { id: 'parley-salesforce', secret: 'stand-in-secret-salesforce' }
  const rules = {
    accessSeconds: sessionSeconds,
    codeSeconds: 900,
    rotates,
    endsOldAccess: false,
    accessToken: () => `${ORGANIZATION.slice(0, 15)}!${random.text(96)}`,
    refreshToken: () => `5Aep${random.text(80)}`,
  }
  let origin = ''
  let last = 0
  const state: SalesforceState = {
    client,
    people,
    grants: new Grants(rules, clock, random),
    objects: newSchema(clock()),
    records: new Map(),
    duplicateRule: false,
    dailyCalls: 15_000,
    clock,
    origin: () => origin,
    next: () => ++last,
  }
  const api = salesforceApi(state)
  const { admit, headers, revoke } = api
  const routes = [...salesforceOAuth(state, options.home), ...api.routes]
  const standIn = await startStandIn(
    {
      name: 'Salesforce',
      routes,
      refuse: refuseAsSalesforce,
      kinds: () => salesforceKinds(state),
      grants: state.grants,
      admit,
      headers,
      revoke,
    },
    options,
  )
  origin = standIn.origin
  return {
    ...standIn,
    client,
    state,
    add: (sobject, values) => createRecord(state, objectOf(state, sobject), values, true),
    all: (sobject) => recordsOf(state, objectOf(state, sobject)),
    addField(sobject, field) {
      const object = objectOf(state, sobject)
      const full: Field = { type: 'string', length: 255, custom: true, ...field }
      object.fields = [...object.fields.filter(({ name }) => name !== full.name), full]
      object.changed = clock()
    },
    issue: (scopes = Object.keys(SALESFORCE_SCOPES)) => state.grants.issue(people[0], client.id, scopes),
  }
}
