import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { VendorSettings } from '../../../platform/config/vendorSettings'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'

/** A spreadsheet as its API describes it. */
const spreadsheetSchema = z.object({
  properties: z.object({ title: z.string().catch('') }).catch({ title: '' }),
  sheets: z
    .array(
      z.object({
        properties: z.object({
          sheetId: z.int().catch(0),
          title: z.string().catch(''),
          sheetType: z.string().optional(),
        }),
      }),
    )
    .catch([]),
  developerMetadata: z
    .array(z.object({ metadataId: z.int().optional(), metadataValue: z.string().optional() }))
    .catch([]),
})

const valuesSchema = z.object({ values: z.array(z.array(z.custom<Json>())).optional() })

/** Most bytes of a tab that is read whole. */
const MOST_BYTES = 10_000_000
const FIELDS = 'spreadsheetId,properties.title,sheets.properties(sheetId,title,sheetType)'

export interface Tab {
  id: number
  title: string
}

/** Calls of one spreadsheet. */
export function openSpreadsheet(
  call: VendorCall,
  { google }: Pick<VendorSettings, 'google'>,
  { id, name }: { id: string; name: string },
) {
  const url = `${google.sheetsUrl}/v4/spreadsheets/${encodeURIComponent(id)}`
  const about = `The spreadsheet “${name || id}”`

  /** Its name, tabs, and the marks that our writes left in it. */
  async function describe({ marks = false } = {}) {
    const fields = marks ? `${FIELDS},developerMetadata` : FIELDS
    const answer = await call({ method: 'GET', url, query: { fields }, kind: 'read', about })
    const { properties, sheets, developerMetadata } = spreadsheetSchema.parse(answer)
    return {
      title: properties.title,
      tabs: sheets
        .filter(({ properties: { sheetType } }) => sheetType === undefined || sheetType === 'GRID')
        .map(({ properties: tab }): Tab => ({ id: tab.sheetId, title: tab.title })),
      marks: developerMetadata,
    }
  }

  async function read(range: string): Promise<Json[][]> {
    const answer = await call({
      method: 'GET',
      url: `${url}/values/${encodeURIComponent(range)}`,
      query: {
        majorDimension: 'ROWS',
        valueRenderOption: 'UNFORMATTED_VALUE',
        dateTimeRenderOption: 'FORMATTED_STRING',
      },
      kind: 'read',
      maxBytes: MOST_BYTES,
      about,
    })
    return valuesSchema.parse(answer).values ?? []
  }

  return {
    about,
    describe,

    /**
     * The values of a tab, from its first row on; `rows`: of so many. A tab that was renamed meanwhile is found by its
     * id. @throws VendorError not_found if it is gone
     */
    async values(tab: Tab, rows?: number): Promise<Json[][]> {
      const rangeOf = (title: string) => (rows === undefined ? quoted(title) : `${quoted(title)}!1:${rows}`)
      try {
        return await read(rangeOf(tab.title))
      } catch (error) {
        // "Unable to parse range"
        if (!(error instanceof VendorError) || error.code !== 'refused') throw error
        const present = (await describe()).tabs.find(({ id: other }) => other === tab.id)
        if (!present) throw new VendorError('not_found', `The tab “${tab.title}”`)
        if (present.title === tab.title) throw error
        return read(rangeOf(present.title))
      }
    },

    /** Changes it by several requests, all of them or none. */
    update: (requests: Json[]) =>
      call({ method: 'POST', url: `${url}:batchUpdate`, json: { requests }, kind: 'write', about }),
  }
}
export type Spreadsheet = ReturnType<typeof openSpreadsheet>

/** A tab's title in a range: `'It''s'`. */
const quoted = (title: string): string => `'${title.replaceAll("'", "''")}'`
