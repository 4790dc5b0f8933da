import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readZip } from '../../../../tests/support/zip'
import type { Row } from '../sections/section'
import { xlsxOf } from './xlsx'

const tableOf = (name: string, batches: Row[][]) => ({
  name,
  columns: ['n'],
  async *read() {
    yield* batches
  },
})

it('goes on in another sheet where one is full, across batches, and loses no row', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n }))
  const files = readZip(
    await buffer(xlsxOf([tableOf('rows', [rows.slice(0, 7), rows.slice(7)]), tableOf('rows', [])], 5)),
  )
  const sheets = [1, 2, 3, 4].map((number) => files.get(`xl/worksheets/sheet${number}.xml`) ?? '')
  expect(sheets.map((sheet) => sheet.split('<row>').length - 1)).toEqual([5, 5, 3, 1])
  const values = sheets.flatMap((sheet) => [...sheet.matchAll(/<v>(\d+)<\/v>/g)].map(([, value]) => Number(value)))
  expect(values).toEqual(rows.map(({ n }) => n))
  expect([...(files.get('xl/workbook.xml') ?? '').matchAll(/sheet name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...['rows', 'rows 2', 'rows 3', 'rows 4'],
  ])
})

it('a source that fails ends the file with an error', async () => {
  const table = {
    ...tableOf('rows', []),
    read(): AsyncGenerator<Row[]> {
      throw new Error('gone')
    },
  }
  await expect(buffer(xlsxOf([table]))).rejects.toThrow('gone')
})
