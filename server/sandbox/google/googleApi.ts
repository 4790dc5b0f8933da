import { type Answer, type Call, fieldsOf, one, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { batchUpdate } from './batchUpdate'
import { listFiles, presentFile } from './drive'
import { refuseAsGoogle, refuseGoogle } from './errors'
import { applyMask } from './fieldMask'
import { searchMetadata } from './metadata'
import { presentSpreadsheet } from './present'
import type { Spreadsheet } from './spreadsheet'
import type { GoogleState } from './state'
import {
  appendValues,
  batchClearValues,
  batchGetValues,
  batchUpdateValues,
  clearValues,
  getValues,
  updateValues,
} from './values'

const API = 'https://www.googleapis.com/auth/'
const ONLY_OPENED = `${API}drive.file`
const WRITES = [`${API}spreadsheets`, `${API}drive`, ONLY_OPENED]
const READS = [...WRITES, `${API}spreadsheets.readonly`, `${API}drive.readonly`]
const FILES = [`${API}drive`, ONLY_OPENED, `${API}drive.readonly`, `${API}drive.metadata.readonly`]

/** Calls a minute, of one person and of the whole project. */
const PER_PERSON = 60
const PER_PROJECT = 300
const MINUTE = 60

const SHEET = '/v4/spreadsheets/{spreadsheetId}'

/** @returns the calls of Sheets and Drive, and who may make them */
export function googleApi(state: GoogleState, limited: boolean) {
  const person = { reads: new CallLimit(PER_PERSON, MINUTE), writes: new CallLimit(PER_PERSON, MINUTE) }
  const project = { reads: new CallLimit(PER_PROJECT, MINUTE), writes: new CallLimit(PER_PROJECT, MINUTE) }

  function admit(call: Call, route: Route): void {
    if (!route.scopes) return
    const grant = state.grants.grantOf(bearerOf(call))
    if (!grant) throw new Refusal(refuseAsGoogle('unauthorized'))
    call.grant = grant
    if (!route.scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(refuseAsGoogle('forbidden'))
    if (!limited) return
    const kind = route.counts === 'write' ? 'writes' : 'reads'
    const name = kind === 'writes' ? 'Write requests' : 'Read requests'
    if (person[kind].count(grant.person.id, call.at).left < 0)
      throw new Refusal(refuseAsGoogle('tooMany', { message: `${name} per minute per user` }))
    if (project[kind].count(grant.clientId, call.at).left < 0)
      throw new Refusal(refuseAsGoogle('tooMany', { message: `${name} per minute` }))
  }

  function revoke(call: Call): void {
    const grant = state.grants.holderOf(bearerOf(call) ?? '')
    if (grant) state.grants.revoke(grant)
  }

  const isReachable = ({ grant }: Call, spreadsheet: Spreadsheet): boolean => {
    if (!grant) return false
    const { ownerId, sharedWith, openedWith } = spreadsheet
    if (ownerId !== grant.person.id && !sharedWith.includes(grant.person.email)) return false
    const onlyOpened = !grant.scopes.some(
      (scope) => scope.startsWith(API) && scope !== ONLY_OPENED && !/userinfo/.test(scope),
    )
    return !onlyOpened || openedWith.includes(grant.clientId)
  }
  const find = (call: Call): Spreadsheet => {
    const found = state.spreadsheets.get(call.params.spreadsheetId ?? call.params.fileId ?? '')
    // what is not shared is told apart by nobody from what is not there
    if (!found || !isReachable(call, found)) throw refuseGoogle(404, 'Requested entity was not found.')
    return found
  }

  const answer = (call: Call, body: unknown): Answer => ({ status: 200, body: applyMask(body, one(call.query.fields)) })
  const reads = (method: 'GET' | 'POST', path: string, read: (found: Spreadsheet, call: Call) => unknown): Route => ({
    method,
    path,
    scopes: READS,
    handle: (call) => answer(call, read(find(call), call)),
  })
  /** Whatever is refused in the middle leaves the spreadsheet as it was. */
  const writes = (method: 'PUT' | 'POST', path: string, write: (draft: Spreadsheet, call: Call) => unknown): Route => ({
    method,
    path,
    scopes: WRITES,
    counts: 'write',
    handle: (call) => {
      const draft = structuredClone(find(call))
      const body = write(draft, call)
      save(draft)
      return answer(call, body)
    },
  })
  const save = (changed: Spreadsheet) => state.spreadsheets.set(changed.id, { ...changed, modified: state.clock() })
  const rangeOf = (call: Call) => call.params.range ?? ''

  const routes: Route[] = [
    reads('GET', SHEET, (found, call) => presentSpreadsheet(found, state.origin(), call.query)),
    reads('GET', `${SHEET}/values/{range}`, (found, call) => getValues(found, rangeOf(call), call.query)),
    reads('GET', `${SHEET}/values:batchGet`, (found, call) => batchGetValues(found, call.query)),
    reads('POST', `${SHEET}/developerMetadata:search`, (found, call) => searchMetadata(found, call.body)),
    writes('PUT', `${SHEET}/values/{range}`, (draft, call) =>
      updateValues(draft, rangeOf(call), call.query, call.body),
    ),
    writes('POST', `${SHEET}/values/{range}:append`, (draft, call) =>
      appendValues(draft, rangeOf(call), call.query, call.body),
    ),
    writes('POST', `${SHEET}/values/{range}:clear`, (draft, call) => clearValues(draft, rangeOf(call))),
    writes('POST', `${SHEET}/values:batchUpdate`, (draft, call) => batchUpdateValues(draft, call.body)),
    writes('POST', `${SHEET}/values:batchClear`, (draft, call) => batchClearValues(draft, call.body)),
    {
      method: 'POST',
      path: `${SHEET}:batchUpdate`,
      scopes: WRITES,
      counts: 'write',
      handle: (call) => {
        const done = batchUpdate(find(call), call.body, state.random)
        save(done.spreadsheet)
        return answer(call, done.answer)
      },
    },
    {
      method: 'POST',
      path: '/v4/spreadsheets',
      scopes: WRITES,
      counts: 'write',
      handle: (call) => {
        const { properties, sheets } = fieldsOf(call.body) as {
          properties?: { title?: string }
          sheets?: { properties?: { title?: string } }[]
        }
        const titles = sheets?.map((sheet, at) => sheet.properties?.title ?? `Sheet${at + 1}`) ?? ['Sheet1']
        const made = state.addSpreadsheet({
          title: properties?.title ?? 'Untitled spreadsheet',
          tabs: Object.fromEntries(titles.map((title) => [title, []])),
          owner: call.grant?.person,
          picked: true,
        })
        return answer(call, presentSpreadsheet(made, state.origin()))
      },
    },
    {
      method: 'GET',
      path: '/drive/v3/files',
      scopes: FILES,
      handle: (call) => {
        const reachable = [...state.spreadsheets.values()].filter((spreadsheet) => isReachable(call, spreadsheet))
        return answer(call, listFiles(reachable, call.query, state.origin()))
      },
    },
    {
      method: 'GET',
      path: '/drive/v3/files/{fileId}',
      scopes: FILES,
      handle: (call) => answer(call, presentFile(find(call), state.origin())),
    },
    {
      method: 'POST',
      path: '/drive/v3/files',
      scopes: [`${API}drive`, ONLY_OPENED],
      handle: (call) => {
        const { name, mimeType } = fieldsOf(call.body) as { name?: string; mimeType?: string }
        if (mimeType !== 'application/vnd.google-apps.spreadsheet')
          throw refuseGoogle(400, `The stand-in makes only spreadsheets, not ${mimeType ?? 'files without a type'}`)
        const made = state.addSpreadsheet({ title: name ?? 'Untitled', owner: call.grant?.person, picked: true })
        return answer(call, presentFile(made, state.origin()))
      },
    },
    {
      method: 'GET',
      path: '/drive/v3/about',
      scopes: FILES,
      handle: (call) => {
        if (one(call.query.fields) === undefined)
          throw refuseGoogle(400, "The 'fields' parameter is required for this method.")
        const { name, email, id } = call.grant?.person ?? { name: '', email: '', id: '' }
        const user = { kind: 'drive#user', displayName: name, emailAddress: email, permissionId: id, me: true }
        return answer(call, { kind: 'drive#about', user })
      },
    },
  ]
  return { routes, admit, revoke }
}
