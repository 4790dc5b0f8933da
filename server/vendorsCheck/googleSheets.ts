import { z } from 'zod'
import {
  appendRow,
  clearRow,
  deleteRows,
  leaveMark,
  takeMark,
  updateRow,
} from '../modules/integrations/google-sheets/requests'
import { openSpreadsheet, type Tab } from '../modules/integrations/google-sheets/spreadsheet'
import { googleSheets } from '../modules/integrations/google-sheets/vendor'
import { markOf } from '../modules/integrations/writes'
import { connectByHand } from './connect'
import type { VendorCheck } from './vendorCheck'

const addedSchema = z.object({
  replies: z.tuple([
    z.object({ addSheet: z.object({ properties: z.object({ sheetId: z.int(), title: z.string() }) }) }),
  ]),
})

/** Google Sheets, by a service account. */
export const googleSheetsCheck: VendorCheck = {
  name: 'Google Sheets',
  variables: [
    { name: 'GOOGLE_KEY', what: 'a service account’s key, the JSON of its file in one variable', isSecret: true },
    { name: 'GOOGLE_SPREADSHEET', what: 'the ID of a spreadsheet that is shared with it as an editor' },
  ],
  writes: 'a tab in that spreadsheet, with rows and marks, which is deleted',
  async open(means) {
    const { call, callAsStranger, account } = await connectByHand(means, googleSheets, {
      key: means.value('GOOGLE_KEY'),
    })
    const settings = means.config.vendors
    const id = means.value('GOOGLE_SPREADSHEET')
    const spreadsheet = openSpreadsheet(call, settings, { id, name: '' })
    const { title } = await spreadsheet.describe()

    return {
      account: `${account.name}, the spreadsheet “${title}”`,
      async run({ report, mark, afterwards }) {
        const tab = await report.see('a tab is added', 'its number', async () => {
          const answer = await spreadsheet.update([{ addSheet: { properties: { title: mark } } }])
          const { sheetId, title: named } = addedSchema.parse(answer).replies[0].addSheet.properties
          afterwards(`the tab “${named}”`, () => spreadsheet.update([{ deleteSheet: { sheetId } }]))
          const value: Tab = { id: sheetId, title: named }
          return { seen: String(sheetId), value }
        })
        if (!tab) return
        const [first, second] = [markOf(`${mark} 1`), markOf(`${mark} 2`)]
        const row = (...cells: (string | number | boolean)[]) => appendRow(tab.id, new Map(cells.entries()))
        const values = async () => JSON.stringify(await spreadsheet.values(tab))

        await report.see('rows are added, with a mark', 'texts stay texts, types are kept', async () => {
          afterwards('the first mark', () => spreadsheet.update([takeMark(first.id)]))
          await spreadsheet.update([
            ...[row('Name', 'Amount', 'Paid'), row('=1+1', 3, true), row('Ben', 4.5, false)],
            leaveMark(first.id, first.value),
          ])
          const seen = await values()
          const expected = [
            ['Name', 'Amount', 'Paid'],
            ['=1+1', 3, true],
            ['Ben', 4.5, false],
          ]
          return { seen, holds: seen === JSON.stringify(expected) }
        })
        await report.see('the mark is found again', 'it is there', async () => {
          const { marks } = await spreadsheet.describe({ marks: true })
          const isThere = marks.some(
            ({ metadataId, metadataValue }) => metadataId === first.id && metadataValue === first.value,
          )
          return { seen: `${marks.length} marks, ours ${isThere ? 'among them' : 'not'}`, holds: isThere }
        })
        await report.refused('a second mark of the same id', 'refused', () =>
          spreadsheet.update([row('twice'), leaveMark(first.id, first.value)]),
        )
        await report.see('what was refused has written nothing', 'no row “twice”', async () => {
          const seen = await values()
          return { seen: seen.includes('twice') ? seen : 'no row', holds: !seen.includes('twice') }
        })
        await report.see('a mark of none is taken away', 'no error', async () => {
          await spreadsheet.update([takeMark(second.id), row('taken')])
          return { seen: 'no error' }
        })
        await report.see('cells are changed, a row is emptied, another deleted', 'one change', async () => {
          await spreadsheet.update([
            ...updateRow(tab.id, 3, new Map([[1, 'five']])),
            clearRow(tab.id, 2),
            ...deleteRows(tab.id, [4]),
          ])
          const seen = await values()
          const expected = [['Name', 'Amount', 'Paid'], [], ['Ben', 'five', false]]
          return { seen, holds: seen === JSON.stringify(expected) }
        })
        await report.see('a tab that was renamed', 'is found by its number', async () => {
          const [found] = await spreadsheet.values({ id: tab.id, title: `${mark} of old` }, 1)
          return { seen: JSON.stringify(found), holds: found?.[0] === 'Name' }
        })
        await report.refused('a tab that does not exist', 'not_found', () =>
          spreadsheet.values({ id: tab.id + 1, title: `${mark} of old` }, 1),
        )
        await report.refused('a spreadsheet that does not exist', 'not_found', () =>
          openSpreadsheet(call, settings, { id: `${id.slice(0, -6)}aaaaaa`, name: '' }).describe(),
        )
        await report.refused('a token that is none', 'reconnect', () => googleSheets.check(callAsStranger, settings))
      },
    }
  },
}
