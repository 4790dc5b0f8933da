import type { z } from 'zod'
import type { Json } from '../../../engine/values/json'
import { beginConnection, connectByHand, finishConnection } from '../../../server/contracts/integrations'
import { parseConfig } from '../../../server/platform/config/config'
import { HUBSPOT_SCOPES } from '../../../server/sandbox/hubspot/hubspotOAuth'
import type { StandIn } from '../../../server/sandbox/standIn'
import { createTicket } from '../../../server/sandbox/zendesk/tickets'
import { startTestServer } from '../server'
import { startCalendly } from './calendly/startCalendly'
import { consent } from './consent'
import { startGoogle } from './google/startGoogle'
import { startHubspot } from './hubspot/startHubspot'
import { startSalesforce } from './salesforce/startSalesforce'
import { askingForFiles, sendingVisitor } from './sendingVisitor'
import { startZendesk } from './zendesk/startZendesk'

type Connections = Record<'google' | 'hubspot' | 'salesforce' | 'zendesk' | 'calendly', string>

/** A kind of call that writes, each time of it about another word. */
export interface VendorWrite {
  name: string
  vendor: keyof Connections
  /** the request that writes, as `Fault.on` */
  on: string
  effect: 'sheets' | 'crm' | 'ticket' | 'bookings'
  /** makes what is changed, before */
  prepare?: (word: string) => void | Promise<void>
  request: (word: string) => Json
  /** how often it was done at the vendor */
  effects: (word: string) => number
}

/**
 * A server with accounts at stand-ins of all vendors, and every kind of call that writes there.
 * @param options.byHand tokens that are not renewed by a refresh token, of those vendors who have them
 */
export async function startVendorWrites({ clock, byHand = false }: { clock: () => Date; byHand?: boolean }) {
  const google = await startGoogle({ clock })
  const hubspot = await startHubspot({ clock })
  const salesforce = await startSalesforce({ clock, rotates: !byHand, sessionSeconds: 1e9 })
  const zendesk = await startZendesk({ clock })
  const calendly = await startCalendly({ clock })
  const standIns: Record<keyof Connections, StandIn> = { google, hubspot, salesforce, zendesk, calendly }
  const { vendors } = parseConfig({
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    GOOGLE_ACCOUNTS_URL: google.origin,
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_SHEETS_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
    HUBSPOT_CLIENT_ID: hubspot.client.id,
    HUBSPOT_CLIENT_SECRET: hubspot.client.secret,
    HUBSPOT_APP_URL: hubspot.origin,
    HUBSPOT_API_URL: hubspot.origin,
    SALESFORCE_CLIENT_ID: salesforce.client.id,
    SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
    SALESFORCE_LOGIN_URL: salesforce.origin,
    ZENDESK_URL: zendesk.origin,
    CALENDLY_CLIENT_ID: calendly.client.id,
    CALENDLY_CLIENT_SECRET: calendly.client.secret,
    CALENDLY_SIGNING_KEY: calendly.state.signingKey,
    CALENDLY_AUTH_URL: calendly.origin,
    CALENDLY_API_URL: calendly.origin,
  })
  const server = await startTestServer({ config: { vendors }, clock })
  const owner = await server.register()
  const params = { pgid: owner.pgid }

  async function byConsent(vendor: 'google-sheets' | 'hubspot' | 'salesforce' | 'calendly'): Promise<string> {
    const { url } = await owner.call(beginConnection, { params, body: { vendor, return_to: '' } })
    const { searchParams } = await consent(url)
    const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
    return (await owner.call(finishConnection, { body: { vendor, state, code } })).connection?.gid ?? ''
  }
  const by = async (body: z.input<NonNullable<typeof connectByHand.body>>): Promise<string> =>
    (await owner.call(connectByHand, { params, body })).connection.gid
  const zendeskFields = { subdomain: 'acme', clientId: zendesk.client.id, clientSecret: zendesk.client.secret }

  /** Each connects its account, or does so anew. */
  const connect: Record<keyof Connections, () => Promise<string>> = {
    google: () => byConsent('google-sheets'),
    salesforce: () => byConsent('salesforce'),
    zendesk: () => by({ vendor: 'zendesk', way: 'zendesk-client', fields: zendeskFields }),
    hubspot() {
      if (!byHand) return byConsent('hubspot')
      const { client, state } = hubspot
      const person = hubspot.issue().person
      // a private app's token does not run out
      const forever = { accessSeconds: 1e9 }
      const grant = state.grants.issue(person, client.id, Object.keys(HUBSPOT_SCOPES), false, forever)
      const fields = { account: String(state.hubId), token: grant.accessToken ?? '' }
      return by({ vendor: 'hubspot', way: 'hubspot-token', fields })
    },
    calendly() {
      if (!byHand) return byConsent('calendly')
      const fields = { token: calendly.issuePersonal().accessToken ?? '' }
      return by({ vendor: 'calendly', way: 'calendly-token', fields })
    },
  }
  const connections: Connections = {
    google: await connect.google(),
    hubspot: await connect.hubspot(),
    salesforce: await connect.salesforce(),
    zendesk: await connect.zendesk(),
    calendly: await connect.calendly(),
  }
  const project = server.context.db.selectFrom('projects').select('id').where('gid', '=', owner.pgid)
  const { id: projectId } = await project.executeTakeFirstOrThrow()
  const visitor = await sendingVisitor(server, projectId, askingForFiles())
  const { id, address: file } = await visitor.uploads('a.txt', 'It rattles')
  await visitor.replies([id])
  const writes = listWrites({ google, hubspot, salesforce, zendesk, calendly, connections, clock, file })

  return {
    server,
    projectId,
    vendors,
    standIns,
    google,
    hubspot,
    zendesk,
    writes,
    connect,
    owner,
    connections,
    /** adds one that everybody may read, at Salesforce and at Zendesk */
    addArticle: (title: string) => salesforce.add('Knowledge__kav', { Title: title, Answer__c: 'Yes' }),
    zendeskArticle: (title: string) => zendesk.addArticle({ title, body: '<p>Parcels take two days to arrive.</p>' }),
    async close() {
      await server.close()
      await Promise.all(Object.values(standIns).map((standIn) => standIn.close()))
    },
  }
}

interface Parts {
  google: Awaited<ReturnType<typeof startGoogle>>
  hubspot: Awaited<ReturnType<typeof startHubspot>>
  salesforce: Awaited<ReturnType<typeof startSalesforce>>
  zendesk: Awaited<ReturnType<typeof startZendesk>>
  calendly: Awaited<ReturnType<typeof startCalendly>>
  connections: Connections
  clock: () => Date
  /** the address of one that a visitor sent */
  file: string
}

const listWrites = (parts: Parts): VendorWrite[] => [
  ...sheetWrites(parts),
  ...hubspotWrites(parts),
  ...salesforceWrites(parts),
  ...zendeskWrites(parts),
  bookingWrite(parts),
]

/** Two rows have the word, of which only the first is meant. */
function sheetWrites({ google, connections }: Parts): VendorWrite[] {
  const sheets = new Map<string, { id: string; tab: number }>()
  const rowsOf = (word: string) => google.rowsOf(sheets.get(word)?.id ?? '', 'Orders')
  const write = (action: string, effects: VendorWrite['effects'], more: object = {}): VendorWrite => ({
    name: `Google Sheets: ${action} a row`,
    vendor: 'google',
    on: 'POST *:batchUpdate',
    effect: 'sheets',
    prepare(word) {
      const rows = [
        ['Name', 'Amount'],
        [word, 1],
        [word, 1],
      ]
      const { id, sheets: tabs } = google.addSpreadsheet({ title: word, tabs: { Orders: rows } })
      sheets.set(word, { id, tab: tabs[0]?.sheetId ?? 0 })
    },
    request: (word) => ({
      action,
      connection: connections.google,
      spreadsheet: { id: sheets.get(word)?.id ?? '', name: word },
      tab: { id: sheets.get(word)?.tab ?? 0, title: 'Orders' },
      cells: [],
      match: { by: 'column', column: 'Name', value: word },
      which: 'first',
      limit: 1,
      ...more,
    }),
    effects,
  })
  const withAmount = (word: string, amount: number) => rowsOf(word).filter(([, cell]) => cell === amount).length
  const named = (word: string) => rowsOf(word).filter(([cell]) => cell === word).length
  const cells = [{ column: 'Amount', value: 2 }]
  return [
    write('add', (word) => withAmount(word, 2), { cells, match: null }),
    write('update', (word) => withAmount(word, 2), { cells }),
    write('clear', (word) => 2 - named(word)),
    write('delete', (word) => 2 - named(word)),
  ]
}

const field = (name: string, value: string) => ({ name, value })
const emailOf = (word: string) => `${word}@example.com`

interface CrmParts {
  vendor: 'hubspot' | 'salesforce'
  connection: string
}
const crmRequest = ({ vendor, connection }: CrmParts, action: string, object: string, more: object): Json => ({
  vendor,
  connection,
  action,
  object,
  find: null,
  fields: [],
  links: [],
  show: [],
  ...more,
})

function hubspotWrites({ hubspot, connections }: Parts): VendorWrite[] {
  const by = { vendor: 'hubspot', connection: connections.hubspot } as const
  const stage = () => hubspot.state.pipelines[0]?.stages[0]?.id ?? ''
  const ticketOf = (word: string) => ({ subject: word, hs_pipeline_stage: stage() })
  const having = (type: 'contacts' | 'companies' | 'tickets', name: string, value: string) =>
    hubspot.all(type).filter(({ properties }) => properties[name] === value)
  const write = (
    name: string,
    on: string,
    effects: VendorWrite['effects'],
    request: VendorWrite['request'],
    prepare?: VendorWrite['prepare'],
  ): VendorWrite => ({
    name: `HubSpot: ${name}`,
    vendor: 'hubspot',
    on,
    effect: 'crm',
    effects,
    request,
    ...(prepare && { prepare }),
  })
  const find = (word: string) => ({ by: 'email', value: emailOf(word) })
  return [
    write(
      'create a company',
      'POST *companies',
      (word) => having('companies', 'name', word).length,
      (word) => crmRequest(by, 'create', 'company', { fields: [field('name', word)] }),
    ),
    write(
      'update a company',
      'PATCH *companies/*',
      (word) => having('companies', 'industry', word).length,
      (word) =>
        crmRequest(by, 'update', 'company', {
          find: { by: 'id', value: having('companies', 'name', `old ${word}`)[0]?.id ?? '' },
          fields: [field('industry', word)],
        }),
      (word) => void hubspot.add('companies', { name: `old ${word}` }),
    ),
    write(
      'create a contact',
      'POST *contacts',
      (word) => having('contacts', 'email', emailOf(word)).length,
      (word) => crmRequest(by, 'create', 'contact', { fields: [field('email', emailOf(word))] }),
    ),
    write(
      'create or update a contact',
      'POST *contacts',
      (word) => having('contacts', 'email', emailOf(word)).length,
      (word) => crmRequest(by, 'upsert', 'contact', { find: find(word), fields: [field('city', word)] }),
    ),
    write(
      'update a contact',
      'PATCH *contacts/*',
      (word) => having('contacts', 'city', word).length,
      (word) => crmRequest(by, 'update', 'contact', { find: find(word), fields: [field('city', word)] }),
      (word) => void hubspot.add('contacts', { email: emailOf(word) }),
    ),
    write(
      'create a ticket',
      'POST *tickets',
      (word) => having('tickets', 'subject', word).length,
      (word) =>
        crmRequest(by, 'create', 'ticket', {
          fields: Object.entries(ticketOf(word)).map(([name, value]) => field(name, value)),
        }),
    ),
    write(
      'update a ticket',
      'PATCH *tickets/*',
      (word) => having('tickets', 'content', word).length,
      (word) =>
        crmRequest(by, 'update', 'ticket', {
          find: { by: 'id', value: having('tickets', 'subject', `old ${word}`)[0]?.id ?? '' },
          fields: [field('content', word)],
        }),
      (word) => void hubspot.add('tickets', ticketOf(`old ${word}`)),
    ),
  ]
}

function salesforceWrites({ salesforce, connections }: Parts): VendorWrite[] {
  const by = { vendor: 'salesforce', connection: connections.salesforce } as const
  const having = (sobject: string, name: string, value: string) =>
    salesforce.all(sobject).filter(({ values }) => values[name] === value).length
  const write = (
    name: string,
    on: string,
    effects: VendorWrite['effects'],
    request: VendorWrite['request'],
    prepare?: VendorWrite['prepare'],
  ): VendorWrite => ({
    name: `Salesforce: ${name}`,
    vendor: 'salesforce',
    on,
    effect: 'crm',
    effects,
    request,
    ...(prepare && { prepare }),
  })
  const lastName = (word: string) => field('LastName', word)
  return [
    ...(
      [
        ['an Account', 'Account', 'company', 'Name'],
        ['a Contact', 'Contact', 'contact', 'LastName'],
        ['a Case', 'Case', 'ticket', 'Subject'],
      ] as const
    ).map(([name, sobject, object, key]) =>
      write(
        `create ${name}`,
        `POST *sobjects/${sobject}`,
        (word) => having(sobject, key, word),
        (word) => crmRequest(by, 'create', object, { fields: [field(key, word)] }),
      ),
    ),
    write(
      'update a Contact',
      'PATCH *sobjects/Contact/*',
      (word) => having('Contact', 'Title', word),
      (word) =>
        crmRequest(by, 'update', 'contact', {
          find: { by: 'Email', value: emailOf(word) },
          fields: [field('Title', word)],
        }),
      (word) => void salesforce.add('Contact', { LastName: 'Old', Email: emailOf(word) }),
    ),
    write(
      'create or update by an external ID',
      'PATCH *sobjects/Contact/External_Id__c/*',
      (word) => having('Contact', 'External_Id__c', word),
      (word) =>
        crmRequest(by, 'upsert', 'contact', {
          find: { by: 'External_Id__c', value: word },
          fields: [lastName(word)],
        }),
    ),
    write(
      'create or update by another field',
      'POST *sobjects/Contact',
      (word) => having('Contact', 'Email', emailOf(word)),
      (word) =>
        crmRequest(by, 'upsert', 'contact', {
          find: { by: 'Email', value: emailOf(word) },
          fields: [lastName(word)],
        }),
    ),
  ]
}

function zendeskWrites({ zendesk, connections, file }: Parts): VendorWrite[] {
  const ids = new Map<string, number>()
  const ticketOf = (word: string) => zendesk.state.tickets.get(ids.get(word) ?? 0)
  const request = (more: object): Json => ({
    connection: connections.zendesk,
    action: 'update',
    ticket: '',
    subject: '',
    comment: { body: '', public: false },
    requester: { name: '', email: '' },
    priority: null,
    type: null,
    status: null,
    tags: [],
    fields: [],
    ...more,
  })
  const prepare = (word: string) => {
    const body = { ticket: { subject: `old ${word}`, comment: { body: 'made before' } } }
    const asked = { method: 'POST', path: '', params: {}, query: {}, headers: {}, at: zendesk.state.clock(), body }
    createTicket(zendesk.state, asked)
    ids.set(word, zendesk.tickets().at(-1)?.id ?? 0)
  }
  const write = (
    name: string,
    on: string,
    more: Pick<VendorWrite, 'request' | 'effects' | 'prepare'>,
  ): VendorWrite => ({
    name: `Zendesk: ${name}`,
    vendor: 'zendesk',
    on,
    effect: 'ticket',
    ...more,
  })
  return [
    write('create a ticket', 'POST *tickets', {
      request: (word) => request({ action: 'create', subject: word, comment: { body: word, public: true } }),
      effects: (word) => zendesk.tickets().filter(({ subject }) => subject === word).length,
    }),
    write('create a ticket with a file', 'POST *uploads', {
      request: (word) =>
        request({ action: 'create', subject: word, comment: { body: word, public: true }, files: [file] }),
      effects(word) {
        const made = zendesk.tickets().filter(({ subject }) => subject === word)
        return made.flatMap(({ comments }) => comments.flatMap(({ uploads }) => uploads)).length
      },
    }),
    write('update a ticket', 'PUT *tickets/*', {
      prepare,
      request: (word) => request({ ticket: String(ids.get(word)), tags: [word] }),
      effects: (word) => ticketOf(word)?.tags.filter((tag) => tag === word).length ?? 0,
    }),
    write('comment on a ticket', 'PUT *tickets/*', {
      prepare,
      request: (word) => request({ ticket: String(ids.get(word)), comment: { body: word, public: true } }),
      effects: (word) => ticketOf(word)?.comments.filter(({ body }) => body === word).length ?? 0,
    }),
  ]
}

/** Each word has a time of its own. */
function bookingWrite({ calendly, connections, clock }: Parts): VendorWrite {
  const type = calendly.addEventType({ name: 'Quick', minutes: 5 })
  const starts = new Map<string, string>()
  return {
    name: 'Calendly: book a time',
    vendor: 'calendly',
    on: 'POST /invitees',
    effect: 'bookings',
    prepare: (word) => void starts.set(word, workingTime(clock(), starts.size)),
    request: (word) => ({
      action: 'book',
      connection: connections.calendly,
      eventType: `${calendly.origin}/event_types/${type.uuid}`,
      timeZone: 'UTC',
      language: 'en',
      start: starts.get(word) ?? '',
      name: word,
      email: emailOf(word),
      phone: '',
    }),
    effects: (word) =>
      calendly.state.bookings.filter(({ canceled, invitee }) => !canceled && invitee.email === emailOf(word)).length,
  }
}

/** The nth five minutes of working days, from two days on. */
function workingTime(now: Date, count: number): string {
  const PER_DAY = 90
  const day = new Date(now.getTime() + 2 * 86_400_000)
  day.setUTCHours(9, 0, 0, 0)
  for (let left = Math.floor(count / PER_DAY); ; ) {
    const isWorking = day.getUTCDay() >= 1 && day.getUTCDay() <= 5
    if (isWorking && left-- <= 0) break
    day.setUTCDate(day.getUTCDate() + 1)
  }
  day.setUTCMinutes(5 * (count % PER_DAY))
  return day.toISOString()
}
