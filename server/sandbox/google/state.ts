import type { Client, Grants, Person } from '../oauth/grants'
import type { SeededRandom } from '../seededRandom'
import type { ServiceAccount } from './serviceAccount'
import type { Spreadsheet } from './spreadsheet'

export interface NewSpreadsheet {
  title: string
  /** rows by the titles of tabs; the first row is the header */
  tabs?: Readonly<Record<string, readonly (readonly (string | number | boolean | null)[])[]>>
  /** default: the first person's */
  owner?: Person
  /** emails, such as a service account's */
  sharedWith?: readonly string[]
  /** whether it was picked for our client, so that the scope `drive.file` reaches it; default: not */
  picked?: boolean
}

/** What the stand-in of Google knows. */
export interface GoogleState {
  client: Client
  people: readonly Person[]
  grants: Grants
  spreadsheets: Map<string, Spreadsheet>
  serviceAccounts: ServiceAccount[]
  addSpreadsheet(spreadsheet: NewSpreadsheet): Spreadsheet
  random: SeededRandom
  clock: () => Date
  /** known once the server listens */
  origin: () => string
}
