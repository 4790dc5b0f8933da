import { z } from 'zod'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import { VendorError } from '../calls/vendorError'
import type { ChoiceList } from '../defineVendor'
import { openSpreadsheet } from './spreadsheet'
import { columnName } from './table'

const filesSchema = z.object({
  files: z.array(z.object({ id: z.string(), name: z.string().catch('') })).catch([]),
  nextPageToken: z.string().optional(),
})
const PAGES = 3

/** An id within the address of a spreadsheet, or alone. */
const LINK = /\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]{20,200})/

/** The connected account's spreadsheets, the last used first; or the one whose link was pasted. */
export const listSpreadsheets: ChoiceList = async (call, { settings, search }) => {
  const [, linked] = LINK.exec(search) ?? []
  if (linked) {
    const { title } = await openSpreadsheet(call, settings, { id: linked, name: '' }).describe()
    return [{ id: linked, label: title || linked }]
  }
  const found: Choice[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const answer = await call({
      method: 'GET',
      url: `${settings.google.driveUrl}/drive/v3/files`,
      query: {
        q: [
          "mimeType = 'application/vnd.google-apps.spreadsheet'",
          'trashed = false',
          ...(search === '' ? [] : [`name contains '${search.replace(/['\\]/g, '\\$&')}'`]),
        ].join(' and '),
        orderBy: 'modifiedTime desc',
        pageSize: '100',
        fields: 'nextPageToken,files(id,name)',
        supportsAllDrives: 'true',
        includeItemsFromAllDrives: 'true',
        ...(pageToken !== undefined && { pageToken }),
      },
      kind: 'read',
    })
    const { files, nextPageToken } = filesSchema.parse(answer)
    found.push(...files.map(({ id, name }) => ({ id, label: name || id })))
    pageToken = nextPageToken
    if (pageToken === undefined) break
  }
  return found.slice(0, choiceCaps.most)
}

/** A spreadsheet's tabs, in their order. */
export const listTabs: ChoiceList = async (call, { settings, within: [id = ''] }) => {
  const { tabs } = await openSpreadsheet(call, settings, { id, name: '' }).describe()
  return tabs.map((tab) => ({ id: String(tab.id), label: tab.title })).slice(0, choiceCaps.most)
}

/** The names in a tab's first row. */
export const listColumns: ChoiceList = async (call, { settings, within: [id = '', tabId = ''] }) => {
  const spreadsheet = openSpreadsheet(call, settings, { id, name: '' })
  const tab = (await spreadsheet.describe()).tabs.find((each) => String(each.id) === tabId)
  if (!tab) throw new VendorError('not_found', 'The tab')
  const [header = []] = await spreadsheet.values(tab, 1)
  const names = header.map(columnName).filter((name) => name !== '')
  return [...new Set(names)].map((name) => ({ id: name, label: name })).slice(0, choiceCaps.most)
}
