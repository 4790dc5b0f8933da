import { type Client, type Grant, Grants, type Person } from '../oauth/grants'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { refuseAsHubspot } from './errors'
import { hubspotApi } from './hubspotApi'
import { HUBSPOT_SCOPES, hubspotOAuth } from './hubspotOAuth'
import { hubspotKinds } from './kinds'
import { newPipelines } from './pipelines'
import { newProperties } from './properties'
import { createRecord, recordsOf } from './records'
import type { HubspotRecord, HubspotState, ObjectType, Property } from './state'

export interface HubspotStandIn extends StandIn {
  /** as `HUBSPOT_CLIENT_ID` and `HUBSPOT_CLIENT_SECRET` */
  client: Client
  state: HubspotState
  /** adds a record that is there already; found by search at once if the search has no delay */
  add(type: ObjectType, properties: Record<string, string>): HubspotRecord
  /** records that are not archived */
  all(type: ObjectType): HubspotRecord[]
  /** adds or replaces a property, such as one that the account requires */
  addProperty(type: ObjectType, property: Pick<Property, 'name' | 'label'> & Partial<Property>): void
  /** gives tokens without the consent page. Default: all scopes */
  issue(scopes?: readonly string[]): Grant
}

/** Starts a stand-in of HubSpot: OAuth and the CRM's contacts, companies and tickets. */
export async function startHubspotStandIn(options: StandInOptions): Promise<HubspotStandIn> {
  const { clock, seed = 1, domain = 'example.com' } = options
  const random = createSeededRandom(seed)
  const people: [Person] = [{ id: '501', name: 'Ada Example', email: `ada@${domain}` }]
  const client = { id: 'parley-hubspot', secret: 'stand-in-secret-hubspot' }
  const rules = {
    accessSeconds: 1_800,
    codeSeconds: 60,
    rotates: false,
    endsOldAccess: false,
    // longer than others: what stores one must have the room
    accessToken: () => random.text(320),
    refreshToken: () => `na1-${random.text(40)}`,
  }
  let last = 1_000
  const state: HubspotState = {
    hubId: 4_711_000,
    client,
    people,
    grants: new Grants(rules, clock, random),
    records: new Map(),
    properties: newProperties(),
    pipelines: newPipelines(),
    associations: [],
    owners: [{ id: '501', email: `ada@${domain}`, firstName: 'Ada', lastName: 'Example' }],
    clock,
    random,
    searchDelay: 0,
    nextId: () => String(++last),
  }
  const api = hubspotApi(state, options.limited ?? false)
  const { admit, headers, revoke } = api
  const standIn = await startStandIn(
    {
      name: 'HubSpot',
      routes: [...hubspotOAuth(state, options.home), ...api.routes],
      refuse: refuseAsHubspot,
      kinds: () => hubspotKinds(state),
      grants: state.grants,
      admit,
      headers,
      revoke,
    },
    options,
  )
  return {
    ...standIn,
    client,
    state,
    add: (type, properties) => createRecord(state, type, { properties }),
    all: (type) => recordsOf(state, type),
    addProperty(type, property) {
      const full: Property = { type: 'string', fieldType: 'text', options: [], custom: true, ...property }
      state.properties[type] = [...state.properties[type].filter(({ name }) => name !== full.name), full]
    },
    issue: (scopes = Object.keys(HUBSPOT_SCOPES)) => state.grants.issue(people[0], client.id, scopes),
  }
}
