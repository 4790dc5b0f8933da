import { FaultScript } from '../faults'
import { type Client, type Grant, Grants, type Person } from '../oauth/grants'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { renderCell } from './cells'
import { refuseAsGoogle } from './errors'
import { googleApi } from './googleApi'
import { GOOGLE_SCOPES, googleOAuth } from './googleOAuth'
import { googleKinds } from './kinds'
import { createServiceAccount, type ServiceAccount, type ServiceAccountKey } from './serviceAccount'
import { NEW_GRID, type Spreadsheet } from './spreadsheet'
import type { GoogleState, NewSpreadsheet } from './state'

export interface GoogleStandIn extends StandIn {
  /** as `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET` */
  client: Client
  people: readonly [Person, Person]
  spreadsheets: Map<string, Spreadsheet>
  addSpreadsheet(spreadsheet: NewSpreadsheet): Spreadsheet
  /** a tab's values as they are stored, without empty ends; formulas as their text */
  rowsOf(spreadsheetId: string, tab: string): unknown[][]
  /** gives tokens without the consent page. Default: all scopes, the first person */
  issue(scopes?: readonly string[], person?: Person): Grant
  grants: Grants
  addServiceAccount(name: string): ServiceAccountKey
}

/** Starts a stand-in of Google: OAuth, service accounts, Sheets and Drive as far as Parley calls them. */
export async function startGoogleStandIn(options: StandInOptions): Promise<GoogleStandIn> {
  const { clock, seed = 1, domain = 'example.com' } = options
  const random = createSeededRandom(seed)
  const people = [
    { id: '101', name: 'Ada Example', email: `ada@${domain}` },
    { id: '102', name: 'Ben Example', email: `ben@${domain}` },
  ] as const
  const client = { id: 'parley-google', secret: 'stand-in-secret-google' }
  const rules = {
    accessSeconds: 3_599,
    codeSeconds: 600,
    rotates: false,
    endsOldAccess: false,
    accessToken: () => `ya29.${random.text(60)}`,
    refreshToken: () => `1//${random.text(60)}`,
  }
  const grants = new Grants(rules, clock, random)
  const spreadsheets = new Map<string, Spreadsheet>()
  const serviceAccounts: ServiceAccount[] = []
  let origin = ''

  function addSpreadsheet({
    title,
    tabs = { Sheet1: [] },
    owner,
    sharedWith = [],
    picked,
  }: NewSpreadsheet): Spreadsheet {
    const added: Spreadsheet = {
      id: random.text(44),
      title,
      ownerId: (owner ?? people[0]).id,
      sharedWith: [...sharedWith],
      openedWith: picked ? [client.id] : [],
      trashed: false,
      modified: clock(),
      sheets: Object.entries(tabs).map(([name, rows], at) => ({
        // the first tab of a new spreadsheet has the id 0, others have any
        sheetId: at === 0 ? 0 : Number(random.digits(9)),
        title: name,
        rowCount: Math.max(NEW_GRID.rowCount, rows.length),
        columnCount: Math.max(NEW_GRID.columnCount, ...rows.map((row) => row.length)),
        rows: rows.map((row) => [...row]),
      })),
      metadata: [],
    }
    spreadsheets.set(added.id, added)
    return added
  }

  const state: GoogleState = {
    client,
    people,
    grants,
    spreadsheets,
    serviceAccounts,
    addSpreadsheet,
    random,
    clock,
    origin: () => origin,
  }
  const api = googleApi(state, options.limited ?? false)
  const standIn = await startStandIn(
    {
      name: 'Google',
      routes: [...googleOAuth(state, options.home), ...api.routes],
      refuse: refuseAsGoogle,
      kinds: () => googleKinds(state),
      grants,
      admit: api.admit,
      revoke: api.revoke,
    },
    options,
    new FaultScript(),
  )
  origin = standIn.origin
  return {
    ...standIn,
    client,
    people,
    spreadsheets,
    addSpreadsheet,
    rowsOf(spreadsheetId, tab) {
      const sheet = spreadsheets.get(spreadsheetId)?.sheets.find(({ title }) => title === tab)
      if (!sheet) throw new Error(`There is no tab ${tab} in ${spreadsheetId}`)
      const rows = sheet.rows.map((row) => {
        const length = row.findLastIndex((cell) => cell !== null) + 1
        return row.slice(0, length).map((cell) => renderCell(cell, 'FORMULA'))
      })
      return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1)
    },
    issue: (scopes = Object.keys(GOOGLE_SCOPES), person = people[0]) => grants.issue(person, client.id, scopes),
    grants,
    addServiceAccount(name) {
      const { account, key } = createServiceAccount(name, origin)
      serviceAccounts.push(account)
      return key
    },
  }
}
